// Package translations makes the translation files of the site, one for each language. Such a file has the entries of
// the translator's file, such as core/words/de.po, under the current English texts of the sources, and the lessons in
// the language. The package reads the sources of the project, so only tools and tests may import it.
package translations
