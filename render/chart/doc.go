// Package chart lays out charts as marks: axes with ticks, lines with error bands, areas, bars, dots, intervals, heat
// maps, levels and legends, with tooltips.
//
// A Chart collects series in data coordinates. Layers then fits the ranges of the axes, makes the gutters as wide as
// the labels, and returns the marks. Sizes are CSS pixels times Area.Unit. On a canvas as narrow as a phone there are
// fewer ticks, and axes have no titles.
//
// A scene adds marks of its own with Draw and DrawOver, at positions given by At and Plot. If the ranges of the axes
// are given, series can be added after the layout.
//
// chart.go: Chart and its layout; axis.go: axes and ticks; series.go: lines, bars and dots; heat.go: heat maps and
// their colour scales; key.go: legends; read.go: tooltips; group.go: several charts with aligned axes; motion.go:
// animated values.
//
// It must not import frames, scenes or Ebitengine, or depend on methods.
package chart
