package html

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestCardLooksLikePage: drawings that are kept have the colours of style/base.css and the marks of index.html.
func TestCardLooksLikePage(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("../../../site/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	css, index := read("style/base.css"), read("index.html")
	for theme, start := range map[string]string{"light": ":root {", "dark": `[data-theme="dark"] {`,
		"projector": `[data-theme="projector"] {`} {
		_, block, _ := strings.Cut(css, start)
		block, _, _ = strings.Cut(block, "}")
		c := Palettes[theme]
		want := map[string]string{"ground": c.Ground, "ink": c.ink, "ink-2": c.ink2, "ink-3": c.ink3, "line-2": c.line}
		for i, m := range c.methods {
			want[fmt.Sprintf("m-%d", i)] = m
		}
		for name, colour := range want {
			if !strings.Contains(block, "--"+name+": "+colour+";") {
				t.Errorf("%s: --%s is not %s", theme, name, colour)
			}
		}
	}
	for i := range Marks {
		var c Drawing
		c.Symbol(i, 0, 0, 1)
		shape := regexp.MustCompile(` (d|r)="[^"]+"`)
		_, mine, _ := strings.Cut(index, fmt.Sprintf(`<g id="f-%d">`, i))
		if got, want := strings.Replace(shape.FindString(c.Body.String()), ".50", ".5",
			1), shape.FindString(mine); got != want {
			t.Errorf("mark %d is %s, on the page %s", i, got, want)
		}
	}
}
