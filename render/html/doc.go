// Package html builds the markup of the page: elements, SVG plots inside text, and QR codes. Text and attribute values
// are always escaped. site/view.js puts the markup into the document and changes only what differs.
//
// It must not depend on the contents of the page.
package html
