// Package words has the texts of the page in its languages. It must not depend on the state of the page.
//
// Translations are data: files in gettext's format, which a translator can edit without Go. en.po has the page's own
// texts, each under a key (msgctxt), and is compiled into the program. de.po has the German: of the page's texts by
// key, of sentences from models, methods, checks and scenes by their English, and of errors by their code
// (core/problem), which is English too. Texts of lower layers therefore need no identifiers in the sources: an entry is
// found by its English. If a text has changed since it was translated, package translations (wasm/tool/translations)
// uses the entry whose English is most similar, as gettext's msgmerge does, and the build reports that the entry is
// older than its English. `tool dist` makes a site file of each translation file, with the program's current English
// and the lessons of the language, and records its hash, as for every file of the site. The page fetches the file when
// the user chooses the language (Read), and stays English if the file is not available. The command is always English.
//
// To add a language, translate a copy of de.po as core/words/fr.po, add its name to en.po (lang.fr), and put lessons,
// if there are any, into site/lessons/fr.
package words
