// Package translations makes the files from which the page takes its languages: each catalogue of a translator, as
// core/words/de.po, brought up to the English that the sources have now, with the language's lessons. Only tools and
// tests use it, since it reads the sources; it must not be part of a program of the site.
package translations
