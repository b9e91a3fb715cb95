package render

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"logzlab/internal/rendertest"
)

// TestShots writes pictures of all scenes to the directory LOGZ_SHOTS; LOGZ_ONLY is a regular expression for their
// names (./build.sh shots).
func TestShots(t *testing.T) {
	dir := os.Getenv("LOGZ_SHOTS")
	if dir == "" {
		t.Skip("for ./build.sh shots")
	}
	needDisplay(t)
	only := regexp.MustCompile(os.Getenv("LOGZ_ONLY"))
	for name, show := range rendertest.Shows {
		scene, frames := show.Scene, show.Frames()
		for _, size := range rendertest.Sizes {
			for _, theme := range size.Themes {
				file := fmt.Sprintf("%s-%s-%s.png", name, size.Name, theme)
				if !only.MatchString(file) {
					continue
				}
				s := NewCanvas()
				s.SetScene(scene)
				s.SetTheme(theme, 0)
				for _, f := range frames {
					s.Take(f)
				}
				if act := rendertest.Acts[name]; act != nil {
					act(s.Stage)
				}
				f, err := os.Create(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if err := png.Encode(f, shoot(s, size.W, size.H, size.Scale)); err != nil {
					t.Fatal(err)
				}
				f.Close()
			}
		}
	}
}
