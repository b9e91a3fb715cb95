// Package svg writes layers of marks as an SVG document: pictures of the canvas as files, and charts in pages.
//
// svg.go: the document, its colours and layers; marks.go: the elements of each kind of mark; path.go: path data.
//
// A drawing has one theme, or follows the reader's preference for light or dark, or uses the CSS variables of a page.
// The package imports only marks and themes.
package svg
