// Package html makes the page's markup: elements, the plots that flow with its text, and QR codes. Text and attribute
// values are always escaped. The browser paints the markup with site/view.js, which changes only what differs.
//
// It must not know what the page is about.
package html
