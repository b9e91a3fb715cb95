package show

import (
	"fmt"
	"image/color"
	"os"
	"strings"
	"testing"

	"logzlab/render/paint"
)

// The CSS variables that charts use for colours have, in site/style/base.css, the colours of the paint themes.
func TestPageColorsMatchStylesheet(t *testing.T) {
	css, err := os.ReadFile("../../../site/style/base.css")
	if err != nil {
		t.Fatal(err)
	}
	for theme, start := range map[string]string{"light": ":root {", "dark": `[data-theme="dark"] {`,
		"projector": `[data-theme="projector"] {`} {
		_, block, _ := strings.Cut(string(css), start)
		block, _, _ = strings.Cut(block, "}")
		c := paint.Themes[theme]
		want := map[string]color.RGBA{"--ground": c.Ground, "--ink": c.Ink, "--ink-2": c.Ink2, "--ink-3": c.Ink3,
			"--line": c.Line, "--line-2": c.Line2, "--ground-3": c.Track}
		for i, m := range c.Methods {
			want[fmt.Sprint("--m-", i)] = m
		}
		for name, colour := range want {
			if hex := fmt.Sprintf("%s: #%02x%02x%02x;", name, colour.R, colour.G, colour.B); !strings.Contains(block, hex) {
				t.Errorf("%s: not %s", theme, hex)
			}
			if theme == "light" && pageColors[colour] != name {
				t.Errorf("%v is %s, not %s", colour, pageColors[colour], name)
			}
		}
		if len(want) != len(pageColors) {
			t.Errorf("%d colours have names, not %d", len(pageColors), len(want))
		}
	}
}
