# Time against arithmetic. Columns: flop, then time, spread and roofline in seconds with cold caches, and with warm ones.
set multiplot
set logscale x 10
set logscale y 10
set format x "%.0e"
set format y "%.0s %cs"
stats data using 1 nooutput
set xrange [STATS_min / 4:STATS_max * 4]
# One scale of time for both lanes.
low = 1e30
high = 0
do for [column in "2 4 5 7"] {
    undefine STATS_*
    stats data using int(column) nooutput
    if (exists("STATS_min")) {
        low = STATS_min < low ? STATS_min : low
        high = STATS_max > high ? STATS_max : high
    }
}
set yrange [low / 3:high * 3]
set xtics rotate by -35
set xlabel "floating point operations of a call"
set tmargin at screen 0.91
set bmargin at screen 0.19
set lmargin at screen 0.09
set rmargin at screen 0.365
set ylabel "time of a call"
set title "cold: caches emptied before"
unset key
plot for [i = 1:series] data index i using 1:2:3 with yerrorbars linetype i pointsize 0.8 notitle, \
    for [i = 1:series] data index i using ($1 * 0.82):4:($1 * 0.36):(0) with vectors nohead linetype i linewidth 2.5 notitle
set lmargin at screen 0.425
set rmargin at screen 0.70
set format y ""
unset ylabel
set title "hot: caches warm"
set key at screen 0.715, screen 0.91 left top
plot for [i = 1:series] data index i using 1:5:6 with yerrorbars linetype i pointsize 0.8 title columnhead(1), \
    for [i = 1:series] data index i using ($1 * 0.82):7:($1 * 0.36):(0) with vectors nohead linetype i linewidth 2.5 notitle, \
    NaN with lines linecolor "#222222" linewidth 2.5 title "dash: its roofline"
unset multiplot
