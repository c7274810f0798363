# Style of every plot: colours that colour-blind eyes can tell apart (Okabe and Ito), on white in light and dark pages.
# reports/plot.c sets `data`, a file whose block 0 is the page's name and whose blocks 1 to `series` are a series each,
# with its name in the first line. Names are never part of this text.
set datafile missing "NaN"
set encoding utf8
set border 3 linecolor "#444444" linewidth 1
set tics nomirror out textcolor "#222222"
set grid linecolor "#dddddd" linewidth 0.7 linetype 1
set key outside right top vertical Left reverse noenhanced spacing 1.15 samplen 2.5 textcolor "#222222"
set linetype 1 linecolor "#0072b2" pointtype 7 linewidth 1.6
set linetype 2 linecolor "#d55e00" pointtype 5 linewidth 1.6
set linetype 3 linecolor "#009e73" pointtype 9 linewidth 1.6
set linetype 4 linecolor "#cc79a7" pointtype 11 linewidth 1.6
set linetype 5 linecolor "#e69f00" pointtype 13 linewidth 1.6
set linetype 6 linecolor "#56b4e9" pointtype 15 linewidth 1.6
set linetype 7 linecolor "#222222" pointtype 7 linewidth 1.6
set linetype 8 linecolor "#882255" pointtype 5 linewidth 1.6
set linetype 9 linecolor "#999933" pointtype 9 linewidth 1.6
set linetype 10 linecolor "#666666" pointtype 11 linewidth 1.6
set linetype cycle 10
