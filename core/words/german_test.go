package words_test

import (
	"archive/zip"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/problem"
	"logzlab/core/schedule"
	"logzlab/core/words"
	"logzlab/wasm/tool/translations"
)

var verbs = regexp.MustCompile(`%[a-z.0-9]*[a-z]|\{\d\}`)

// german reads the German of the site, as the page fetches it, and its entries.
func german(t *testing.T) (*words.Language, *translations.Translation, []words.Entry) {
	t.Helper()
	all, err := translations.All("../..")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(c *translations.Translation) bool { return c.Lang == "de" })
	w, err := words.Read("de", all[i].Data)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := words.Entries(string(all[i].Data))
	if err != nil {
		t.Fatal(err)
	}
	return w, all[i], entries
}

// German texts have the same placeholders as the English ones. Texts without German are logged; the page shows them in
// English.
func TestGermanWords(t *testing.T) {
	english, de := words.New("en").WithPrefix(""), map[string]string{}
	var missing []string
	defer func() { logMissing(t, missing) }()
	_, _, entries := german(t)
	for _, e := range entries {
		de[e.Context] = e.Text
	}
	for key, en := range english {
		if strings.HasPrefix(key, "lang.") {
			continue // names of languages
		}
		if de[key] == "" {
			missing = append(missing, key)
			continue
		}
		got, want := verbs.FindAllString(de[key], -1), verbs.FindAllString(en, -1)
		if key[:2] != "pa" && !slices.Equal(got, want) || len(got) != len(want) {
			t.Errorf("%s: placeholders %q in German, %q in English", key, got, want)
		}
	}
}

// logMissing logs texts without German, which the page shows in English.
func logMissing(t *testing.T, missing []string) {
	t.Helper()
	if slices.Sort(missing); len(missing) > 0 {
		t.Logf("de.po has no German for %d texts:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// Everyday words exist only for terms that occur in the sources or have German, and differ from the term.
func TestPlainWords(t *testing.T) {
	de, _, _ := german(t)
	terms := map[string]bool{}
	scan(t, func(_ string, n ast.Node) {
		if s, ok := literal(n); ok {
			terms[strings.ToLower(strings.ReplaceAll(s, "_", " "))] = true
		}
	})
	for term, plain := range words.New("en").WithPrefix("plain.") {
		model := strings.ToLower(term) == term && strings.ContainsAny(term, "0123456789-")
		base := strings.TrimSuffix(term, "!")
		if plain == term || !model && !terms[strings.ToLower(base)] && !de.HasPhrase(base) {
			t.Errorf("plain.%s = %q: the term is not in use, or is the same", term, plain)
		}
	}
}

// The entries of a language are unique, each has an English text, and en.po has no translations.
func TestEntries(t *testing.T) {
	for _, lang := range []string{"en", "de"} {
		po, err := os.ReadFile(lang + ".po")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := words.Entries(string(po))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[words.Entry]bool{}
		for _, e := range entries {
			of := words.Entry{Context: e.Context}
			if e.Context == "" || e.Context == words.ErrorContext {
				of.English = e.English
			}
			if seen[of] {
				t.Errorf("%s.po has %q twice", lang, of)
			}
			if seen[of] = true; e.English == "" || lang == "en" && e.Text != "" {
				t.Errorf("%s.po: %q is %q", lang, e.English, e.Text)
			}
		}
	}
	for _, bad := range []string{`msgid "a`, `"a"`, `msgstr_plural "a"`, "a", ""} {
		if _, err := words.Entries(bad); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
	all := []words.Entry{{Context: "a", English: `"b" \c`, Text: "d\ne\u00a0%s"}, {English: "f", Text: "g"}}
	if got, err := words.Entries("# of a\n" + words.Format(all)); err != nil || !slices.Equal(got, all) {
		t.Errorf("%q became %q, %v", all, got, err)
	}
}

// sources are the directories whose errors users can see.
var sources = []string{"core", "models", "estimators", "wasm/page", "wasm/external", "wasm/logz", "wasm/rooms"}

// inEnglish lists files, and directories, whose errors made by fmt.Errorf or errors.New stay English, with the reason:
// see package problem.
var inEnglish = map[string]string{
	"models/latent/lgssm.go":           "callers leave the value out",
	"wasm/logz/":                       "the command is English",
	"core/problem/problem.go":          "checks verbs",
	"core/num/parse.go":                "callers say what is no number",
	"core/wire/wire.go":                "within internal errors",
	"core/files/disk/locked_file.go":   "met in the command",
	"models/density/density.go":        "met by programmers",
	"models/mixture/gaussian.go":       "met by programmers",
	"models/rbm/trainer.go":            "met by programmers",
	"models/mixture/gaussian_exact.go": "only means that there is no exact value",
	"estimators/engine/outcome.go":     "met in the command",
	"estimators/engine/worker.go":      "controller and worker are one program",
	"core/words/po.go":                 "met by translators",
	"core/wire/problem.go":             "the text of an error of another package",
	"estimators/report/golden.go":      "met in the command",
	"estimators/papers/experiment.go":  "met in the command",
	"estimators/papers/table.go":       "met in the command",
	"estimators/papers/part.go":        "met in the command",
	"estimators/papers/costs/time.go":  "met in the command",
	"estimators/lab/lab.go":            "met by programmers",
	"estimators/targets/targets.go":    "met by programmers",
	"estimators/coverage/cell.go":      "met by programmers",
	"estimators/coverage/plan.go":      "met by programmers",
	"wasm/page/shared/models.go":       "made of words of the page",
	"wasm/page/run/loader.go":          "met by programmers",
	"wasm/page/state/edit.go":          "made of words of the page",
	"wasm/rooms/edge/native/native.go": "met in the command",
}

// scan calls f for every node of the sources.
func scan(t *testing.T, f func(file string, n ast.Node)) {
	t.Helper()
	for _, dir := range sources {
		err := filepath.WalkDir("../../"+dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
				ast.Inspect(file, func(n ast.Node) bool { f(name, n); return true })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// literal returns the text of a string literal, or of several joined by +.
func literal(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := literal(x.X)
		right, also := literal(x.Y)
		return left + right, ok && also && x.Op == token.ADD
	}
	return "", false
}

// The German of an error has as many placeholders as its code, every plain error is in an exempt file, and each German
// entry is in use. Errors without German are logged.
func TestGermanErrors(t *testing.T) {
	var missing []string
	defer func() { logMissing(t, missing) }()
	de, was := map[string]string{}, map[string]bool{}
	_, c, entries := german(t)
	for _, e := range entries {
		if e.Context == words.ErrorContext {
			de[e.English] = e.Text
		}
	}
	for _, s := range c.Changed { // texts that no longer occur in the sources
		was[s.Was] = true
	}
	codes, texts, plain := map[string]bool{}, map[string]bool{}, map[string]bool{}
	scan(t, func(file string, n ast.Node) {
		if s, ok := literal(n); ok {
			texts[s] = true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if made, ok := call.Fun.(*ast.Ident); ok && made.Name == "New" && path.Dir(file) == "core/problem" {
			code, _ := literal(call.Args[0])
			codes[code] = true
		}
		made, _ := call.Fun.(*ast.SelectorExpr)
		if made == nil {
			return
		}
		from, _ := made.X.(*ast.Ident)
		if from == nil {
			return
		}
		switch from.Name + "." + made.Sel.Name {
		case "fmt.Errorf", "errors.New":
			dir, _ := path.Split(file)
			plain[file], plain[dir] = true, true
			if inEnglish[file] == "" && inEnglish[dir] == "" {
				t.Errorf("%s: use problem.New, with German in de.po", file)
			}
		case "problem.New":
			code, ok := literal(call.Args[0])
			if codes[code] = true; !ok || code == "" || strings.Contains(code, "%%") {
				t.Errorf("%s: the code of a problem must be a literal without %%%%", file)
			} else if _, ok := de[code]; !ok {
				missing = append(missing, file+": "+code)
			}
		}
	})
	if len(codes) < 110 {
		t.Errorf("found only %d calls of problem.New", len(codes))
	}
	for file := range inEnglish {
		if !plain[file] {
			t.Errorf("%s is exempt but has no plain errors", file)
		}
	}
	for _, s := range []string{schedule.Help, zip.ErrFormat.Error(), zip.ErrChecksum.Error()} {
		if texts[s] = true; de[s] == "" {
			missing = append(missing, s)
		}
	}
	for code, s := range de {
		if !was[code] && !codes[code] && (!texts[code] || strings.Contains(code, "%")) {
			t.Errorf("de.po has %q, which is not in the sources", code)
		}
		if n := problem.Placeholders(code); n != strings.Count(s, "%s") || n != strings.Count(s, "%") {
			t.Errorf("%q and %q differ in their placeholders", code, s)
		}
	}
}

// A problem is translated from the inside out, whatever other errors wrap it.
func TestExplain(t *testing.T) {
	de, _, _ := german(t)
	inner := problem.New("row %d: %w", 1, problem.New("%s is not a number", `"x"`))
	for _, c := range []struct {
		err  error
		want string
	}{
		{problem.New("model file: %s: %w", "W", inner), `Modelldatei: W: Zeile 1: "x" ist keine Zahl`},
		{fmt.Errorf("here: %w", inner), `here: Zeile 1: "x" ist keine Zahl`},
		{problem.New("npz or pt file: damaged or cut short (%v); save it again", zip.ErrFormat),
			"npz- oder pt-Datei: beschädigt oder abgeschnitten (keine gültige zip-Datei); noch einmal speichern"},
		{problem.New("gpc file: %s = %v: labels must be -1 and 1, or 0 and 1",
			problem.New("label of line %d", 3), 2.5),
			"gpc-Datei: das Etikett in Zeile 3 = 2.5: Etiketten müssen -1 und 1 oder 0 und 1 sein"},
		{problem.New("link: %w", problem.New("%q is not key=value; write for example seed=7", "%d: %s")),
			`Link: "%d: %s" ist nicht von der Form Schlüssel=Wert; zum Beispiel seed=7 schreiben`},
		{problem.New("untold: %w", inner), `untold: row 1: "x" is not a number`},
	} {
		if got := de.Explain(c.err); got != c.want {
			t.Errorf("%v\n   gives %q\n   want  %q", c.err, got, c.want)
		}
		if got := words.New("en").Explain(c.err); got != c.err.Error() {
			t.Errorf("English: Explain(%q) = %q", c.err, got)
		}
	}
}

// Numbers written by package format appear in German notation, with their units. Words with points do not change.
func TestGermanNumbers(t *testing.T) {
	w, _, _ := german(t)
	for english, want := range map[string]string{"−1,234.5 ± 0.25": "−1" + words.NarrowSpace + "234,5 ± 0,25",
		"ais.chains, 2": "ais.chains, 2"} {
		if got := w.Number(english); got != want || words.New("en").Number(english) != english {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := w.Measure("0.02 nats") + w.Measure("≤ 1.94") + w.Measure("7.5 %"); got != "0,02 Nats≤ 1,947,5\u00a0%" {
		t.Errorf("got %v", got)
	}
}
