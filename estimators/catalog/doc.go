// Package catalog lists every method (Methods) and every kind of model (Kinds) by name, and makes links from both
// (core/spec asks it through Names). A new method or kind is one line here.
//
// It must not compute anything, nor be known by a family.
package catalog
