// Package paint contains the elements of pictures. A layout fills layers with marks (shapes, texts, pictures) in an
// Area, and registers actions and texts for the pointer. Marks are plain values, which tests can read; package gpu
// paints them. Colours belong to a Theme, and Area.Say translates words.
//
// Files in reading order:
//
//  1. mark.go: marks and layers; area.go: areas and actions; theme.go: colours; words.go: Say; font.go: text widths
//  2. axis.go, grid.go, panel.go: axes, tiles, panels; pointer.go: tooltips
//
// It must not import frames, scenes or Ebitengine, or depend on methods.
package paint
