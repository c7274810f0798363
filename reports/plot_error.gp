# Error against the length of the sum. Columns: K, largest, root mean square, share of the proven bound.
u = 2.0**-24
set multiplot
set lmargin at screen 0.10
set rmargin at screen 0.70
set logscale x 2
set logscale y 10
set format y "%.0e"
set format x "%.0f"
set samples 300
stats data using 1 nooutput
set xrange [(STATS_min > 1 ? STATS_min / 1.5 : 0.7):STATS_max * 1.5]
set tmargin at screen 0.95
set bmargin at screen 0.48
set format x ""
set ylabel "error / largest value"
set key at screen 0.715, screen 0.95 left top
plot for [i = 1:series] data index i using 1:2 with points linetype i pointsize 0.75 title columnhead(1), \
    for [i = 1:series] data index i using 1:3 with points linetype i pointtype (i % 2 ? 6 : 4) pointsize 0.6 notitle, \
    x * u / (1 - x * u) with lines linecolor "#222222" linewidth 1.6 title "γ = K u / (1 − K u)", \
    u * sqrt(x) with lines linecolor "#222222" linewidth 1.6 dashtype 2 title "u √K", \
    NaN with points linecolor "#222222" pointtype 7 title "filled: largest", \
    NaN with points linecolor "#222222" pointtype 6 title "open: root mean square"
set tmargin at screen 0.42
set bmargin at screen 0.11
set format x "%.0f"
set xlabel "K, terms of the sum"
set ylabel "error / proven bound"
set yrange [*:2]
unset key
plot for [i = 1:series] data index i using 1:4 with points linetype i pointsize 0.75, \
    1 with lines linecolor "#222222" linewidth 1.6
unset multiplot
