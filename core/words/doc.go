// Package words holds the languages of the page. It must not know the page's state.
//
// Translations are data: files in gettext's format, which a translator can edit without Go. en.po has the page's own
// texts, each under a key (msgctxt), and is compiled into the program. de.po has the German: of the page's texts by
// key, of sentences from models, methods, checks and scenes by their English, and of errors by their code
// (core/problem), which is English too. Texts of lower layers therefore need no identifiers in the sources: an entry is
// found by its English. If a text has changed since it was translated, package translations finds the nearest text in
// the sources, as gettext's msgmerge does, so that a new comma in a help text loses no German; the build reports the
// entry as older than its English. `tool dist` makes a site file of each translation file, with the program's current
// English and the lessons of the language, and pins its hash like every file's. The page fetches the file when the
// language is chosen (Read), and stays English if it is not available. The command is English.
//
// To add a language, translate a copy of de.po as core/words/fr.po, add its name to en.po (lang.fr), and put lessons,
// if there are any, into site/lessons/fr.
package words
