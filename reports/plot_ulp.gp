# How many results lie how far from float64. Columns: position, name of the bin, results.
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set logscale y 10
set yrange [0.5:*]
set format y "%.0f"
set xtics rotate by -35 noenhanced
set xlabel "largest distance from float64, units in the last place of the output"
set ylabel "results"
plot for [i = 1:series] data index i using ($3 > 0 ? $3 : NaN):xticlabels(2) linetype i title columnhead(1)
