// Package chart draws charts as marks: axes with ticks, lines with error bands, areas, bars, dots, intervals, heat maps,
// levels and keys, which the pointer can read.
//
// A Chart collects series in the coordinates of the data. Layers then fits the ranges of the axes to them, makes the
// gutters as wide as the labels, and returns the marks. Sizes are CSS pixels times the Unit of the Area. On a canvas as
// narrow as a phone, titles of axes give way and there are fewer ticks.
//
// A scene adds marks of its own by Draw and DrawOver, which place them with At and Plot. A chart may be laid out, and
// series added after that, if the ranges of its axes are given.
//
// chart.go has the chart and its layout; axis.go axes and ticks; series.go what is drawn in the coordinates of the data;
// heat.go heat maps with their scale of colours; key.go the names of series; read.go what the pointer reads; group.go
// charts side by side or above each other; motion.go values that glide to new ones.
//
// It must not know frames, methods, scenes or Ebitengine.
package chart
