// Package paint is what scenes are drawn with. A layout fills layers with marks (shapes, texts, pictures) in the Area
// that it is given, and says what can be tapped and what the pointer can read. Marks are plain values, which tests
// read; the Painter alone touches the GPU and turns them into triangles of one texture. Colours are tokens of a Theme,
// and words go through Area.Say, which translates them.
//
// It must not know frames, methods or scenes.
package paint
