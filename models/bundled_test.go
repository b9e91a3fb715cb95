package models_test

import (
	"os"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/models"
)

// bundled.sha256 lists exactly the bundled files, and Intact rejects a file with one bit changed.
func TestIntactDetectsOneChangedBit(t *testing.T) {
	const dir = "../site/models"
	sums, err := os.ReadFile("bundled.sha256")
	if err != nil {
		t.Fatal(err)
	}
	list := string(sums)
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		data, err := os.ReadFile(dir + "/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !models.Intact(f.Name(), data) {
			t.Errorf("%s differs from bundled.sha256; ./build.sh models writes both", f.Name())
		}
		data[len(data)/2] ^= 1
		if models.Intact(f.Name(), data) || models.Intact("other-"+f.Name(), data) || models.Intact(f.Name(),
			data[:len(data)-1]) {
			t.Errorf("%s is damaged but Intact", f.Name())
		}
	}
	if n := strings.Count(list, "\n"); n != len(all) {
		t.Errorf("bundled.sha256 lists %d files, %s has %d", n, dir, len(all))
	}
	for _, e := range catalog.Kinds.Builtin() {
		for _, f := range e.Files {
			if !strings.Contains(list, "  "+f+"\n") {
				t.Errorf("%s needs %s, which is not listed", e.Name, f)
			}
		}
	}
}
