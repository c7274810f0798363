# A cell over the runs. Columns: position of the run, its number, time / median of the cell, that value where the level
# changed, that value where code or driver did, error.
set multiplot
set lmargin at screen 0.10
set rmargin at screen 0.97
stats data using 1 nooutput
set xrange [STATS_min - 0.7:STATS_max + 0.7]
errors = 0
set format x "%.0f"
undefine STATS_*
stats data using 6 nooutput
if (exists("STATS_min")) { errors = 1 }
set ylabel "time / median of its runs"
set tmargin at screen 0.97
if (errors) {
    set bmargin at screen 0.68
    set format x ""
} else {
    set bmargin at screen 0.38
    set xlabel "runs of the database, in order of time"
}
set key at screen 0.05, screen 0.285 left top
plot for [i = 1:series] data index i using 1:3 with linespoints linetype i pointtype 7 pointsize 0.45 title columnhead(1), \
    for [i = 1:series] data index i using 1:4 with points linetype i pointtype 6 pointsize 2.6 linewidth 2.2 notitle, \
    for [i = 1:series] data index i using 1:5 with points linetype i pointtype 2 pointsize 1.5 linewidth 2.2 notitle, \
    NaN with points linecolor "#222222" pointtype 6 pointsize 2 linewidth 2 title "ring: the time changed here", \
    NaN with points linecolor "#222222" pointtype 2 pointsize 1.5 linewidth 2 title "cross: other code or driver"
if (errors) {
    set tmargin at screen 0.63
    set bmargin at screen 0.38
    set format x "%.0f"
    set xlabel "runs of the database, in order of time"
    set ylabel "largest error / largest value"
    set format y "%.1e"
    unset key
    plot for [i = 1:series] data index i using 1:6 with linespoints linetype i pointtype 7 pointsize 0.45
}
unset multiplot
