// Package svg writes layers of marks as an SVG document: the pictures of the canvas as a file, and charts in pages.
//
// svg.go has the document, its colours and layers; marks.go the elements of each kind of mark; path.go the data of paths.
//
// A drawing has one theme, or follows the reader's preference for light or dark, or, inside a page, the page's colours.
// The package knows marks and themes; it must not know what they show.
package svg
