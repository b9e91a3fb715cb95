// Package picture encodes pictures of the canvas as files of limited size: a loop as an animated GIF, a still picture
// as a PNG. Both have a palette of at most 255 colours, the most frequent ones of the pictures. It must not depend on
// the contents of the pictures.
package picture
