// Package translations makes the translation files of the site, one for each language: the file of the translator, such
// as core/words/de.po, with each entry under the current English text of the sources, and the lessons in the language.
// It reads the sources, so only tools and tests may import it.
package translations
