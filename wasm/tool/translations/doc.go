// Package translations makes the translation files of the site, one for each language: the file of the translator, such
// as core/words/de.po, with each entry under the English text that the sources have now, and the lessons of the
// language. Only tools and tests use it, because it reads the sources; no program of the site may import it.
package translations
