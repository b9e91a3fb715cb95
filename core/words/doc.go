// Package words holds the languages of the page. It must not know the page's state.
//
// Words are data: translation files in gettext's format, which a translator edits without Go. en.po has the page's own
// words, each under a key (msgctxt); the program carries these. de.po has the German for those words by key, for the
// sentences of models, methods, checks and scenes by their English, and for errors by their code (core/problem), which is
// English too. Texts of lower layers need no ids in the sources: an entry is found by its English text. Where a text has
// been changed since it was translated, package translations finds the nearest text in the sources, as gettext's
// msgmerge does, so a comma mended in a help text changes nothing in German; the build names the entry as older than
// its English. `tool dist` makes of each translation file a file of the site, with the English of the present program
// and the lessons of the language, and seals it by its hash like all files. The page fetches it when the language is
// wanted (Read), and stays English if it cannot be had. The command is English.
//
// A language is one file: core/words/fr.po, made by translating a copy of de.po, with its name in en.po (lang.fr);
// lessons in site/lessons/fr, if there are any.
package words
