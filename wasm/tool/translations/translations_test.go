package translations

import (
	"slices"
	"testing"

	"logzlab/core/words"
)

// All texts that are translated are in the sources, and each language has a name. Texts whose English has changed are
// only listed.
func TestTranslations(t *testing.T) {
	all, err := All("../../..")
	if err != nil {
		t.Fatal(err)
	}
	langs := []string{"en"}
	for _, c := range all {
		langs = append(langs, c.Lang)
		for _, s := range c.Unused {
			t.Errorf("%s.po: nothing says %q any more", c.Lang, s)
		}
		for _, s := range c.Changed {
			t.Logf("%s.po: the English is older than the program's: %q is now %q", c.Lang, s.Was, s.Is)
		}
		if _, err := words.Read(c.Lang, c.Data); err != nil {
			t.Fatal(err)
		}
	}
	if langs = append(langs, "xx"); !slices.Equal(langs, words.Languages()) {
		t.Errorf("translations %v, names in en.po %v", langs, words.Languages())
	}
}

// A changed text keeps its translation and is listed. A text that is removed, or has another number of %s, loses it. A
// text without a translation is shown in English.
func TestChangedEnglish(t *testing.T) {
	texts := map[string]bool{"Chains run on this machine, one after another.": true,
		"%s is given twice: leave one out":      true,
		"The number of %s in %s must be whole.": true, "Help: ": true, "3 nats off": true, "Unlike all others": true}
	entries := []words.Entry{
		{English: "Chains run on this machine one after another.", Text: "Ketten"},
		{Context: words.ErrorContext, English: "%s is given twice; leave one out", Text: "%s steht zweimal da"},
		{Context: words.ErrorContext, English: "The number of %s must be whole.", Text: "Die Zahl %s muss ganz sein."},
		{English: "Unlike all others", Text: "Anders"}, {English: "Help: a, b", Text: "Hilfe"},
		{English: "nats off", Text: "daneben"}, {Context: "tagline", English: words.New("en").T("tagline")},
		{Context: "close", English: "Shut", Text: "Zu"}, {Context: "no.such.key", English: "Lost", Text: "Weg"}}
	c := &Translation{Lang: "de"}
	w, err := words.Read("de", []byte(words.Format(c.update(entries, texts))))
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Phrase("Chains run on this machine, one after another."); got != "Ketten" || w.T("close") != "Zu" {
		t.Errorf("the mended text is %q, the word %q", got, w.T("close"))
	}
	if got, want := w.T("tagline"), words.New("en").T("tagline"); got != want {
		t.Errorf("without a translation the tagline is %q, want %q", got, want)
	}
	changed := []Change{{entries[0].English, "Chains run on this machine, one after another."},
		{entries[1].English, "%s is given twice: leave one out"}, {"Shut", "Close"}}
	if !slices.Equal(c.Changed, changed) {
		t.Errorf("changed %q, want %q", c.Changed, changed)
	}
	if unsaid := []string{entries[2].English, "Lost"}; !slices.Equal(c.Unused, unsaid) {
		t.Errorf("nothing says %q, want %q", c.Unused, unsaid)
	}
}

// The texts of the sources are literals, joined if there is a + between them, and names of parameters as on the page.
func TestLiterals(t *testing.T) {
	texts := map[string]bool{}
	literals([]byte("package p\nvar a = \"one \" +\n\t`two` + b + \"three\"\nvar c = f(\"learning_rate\", 'x', 1+2)"),
		texts)
	for _, s := range []string{"one two", "three", "learning_rate", "Learning rate"} {
		if !texts[s] {
			t.Errorf("%q is missing in %v", s, texts)
		}
	}
	if len(texts) != 6 { // and One two, Three
		t.Errorf("texts %v", texts)
	}
}
