// Package gpu paints the marks of package paint with Ebitengine. Painter turns marks into triangles of one texture:
// one draw call for a layer, and one more for its pictures.
//
// Files in reading order: painter.go (from marks to triangles), painter_pictures.go (pictures made of cells), mesh.go
// (lines and areas as triangles with soft edges), atlas.go (glyphs and discs in one texture), face.go (fonts).
package gpu
