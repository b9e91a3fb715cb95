// Package words holds the languages of the page. It must not know the page's state.
//
// Words are data: catalogue files of gettext, which a translator edits without Go. en.po has the page's own words, each
// under a key (msgctxt); the program carries these. de.po has, in German, those words by key, the sentences that
// models, methods, checks and scenes bring along by their English, and errors by their code (core/problem), which is
// English too. Texts of lower layers need no ids in the sources: the English that stands in a catalogue is the English
// that was translated, and where a text has been changed since, package wasm/tool/translations finds the text that is nearest to it
// in the sources, as gettext's msgmerge does. So a comma mended in a help text changes nothing in German; the build
// names the entry as older than its English. `tool dist` makes of each catalogue a file of the site, brought up to the
// English of that program, with the language's lessons, and sealed by its hash as all files are. The page fetches it
// when the language is wanted (Read), and stays English where it cannot be had. The command is English.
//
// A language is one file: core/words/fr.po, made by translating a copy of de.po, with its name in en.po (lang.fr);
// lessons in site/lessons/fr, if there are any.
package words
