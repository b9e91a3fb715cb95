// Package view makes the page's parts, as markup, from a state.Snapshot. It changes nothing: two views of one snapshot
// are the same.
package view
