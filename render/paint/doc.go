// Package paint has what scenes are drawn with. A layout fills layers with marks (shapes, texts, pictures) in the Area
// that it is given, and says what can be tapped and what the pointer can read. Marks are plain values, which tests
// read; package gpu paints them on the screen. Colours are tokens of a Theme, and words go through Area.Say, which
// translates them.
//
// Files in reading order:
//
//  1. mark.go: marks and layers; area.go: what a layout may use; theme.go: colours; words.go: Say; font.go: text widths
//  2. axis.go, grid.go, panel.go: axes, tiles, panels; pointer.go: what the pointer reads
//
// It must not know frames, methods, scenes or Ebitengine.
package paint
