// Package catalog lists every method (Methods) and every kind of model (Kinds) by name, for the links of core/spec,
// which uses Names. A new method or kind is one line here.
//
// The package must not compute anything, and no family of methods may import it.
package catalog
