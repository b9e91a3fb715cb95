package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/models/rbm"
)

// trainArgs returns arguments of a training of about a second on bars and stripes.
func trainArgs(out string, more ...string) []string {
	return append([]string{"train", "-data", "bars", "-rows", "300", "-hidden", "5", "-updates", "150", "-rate", "0.2",
		"-batch", "30", "-chains", "20", "-sweeps", "2", "-temperatures", "8", "-check", "150", "-bits", "8", "-name",
		"mine", "-out", out}, more...)
}

// A trained RBM can be opened and has its provenance, and the same command makes the same bytes.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, "my.npz")
		var out, errs bytes.Buffer
		if status := cli(trainArgs(path, "-json"), &out, &errs); status != exitOK {
			t.Fatalf("status %d: %s", status, errs.String())
		}
		var told struct {
			Update                 int
			LogZ, SE, Exact, Train float64
			Points, Checks         []struct{ LogZ float64 }
			Verdict                struct {
				Level  string
				Checks []struct {
					Name string
					OK   bool
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &told); err != nil {
			t.Fatal(err)
		}
		if told.Update != 150 || len(told.Points) != 6 || len(told.Checks) != 1 || told.LogZ-told.Exact > .1 ||
			told.Exact-told.LogZ > .1 || told.Train >= 0 {
			t.Errorf("%+v", told)
		}
		if told.Verdict.Level != report.Trust ||
			!slices.ContainsFunc(told.Verdict.Checks, func(c struct {
				Name string
				OK   bool
			}) bool {
				return c.Name == "What was followed" && c.OK
			}) {
			t.Errorf("%+v", told.Verdict)
		}
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%d files are left", len(left))
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same command made other bytes")
	}
	f, err := catalog.Kinds.ReadFile(files[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := f.(rbm.Params); p.M != 16 || p.J != 5 || !strings.Contains(string(p.Provenance), `"algorithm": "PCD"`) {
		t.Errorf("%d x %d units, %s", p.M, p.J, p.Provenance)
	}
}

// Row numbers and labels in the data are not units, and stderr reports them.
func TestTrainLabelled(t *testing.T) {
	dir := t.TempDir()
	rows := ",a,b,c,label\n"
	for i := range 40 {
		rows += fmt.Sprintf("%d,%d,%d,1,%d\n", i, i%2, i/2%2, i%10)
	}
	data, out := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "my.npz")
	if err := os.WriteFile(data, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	var told, errs bytes.Buffer
	if status := cli([]string{"train", "-data", data, "-hidden", "2", "-updates", "20", "-batch", "10", "-chains", "10",
		"-temperatures", "5", "-check", "20", "-out", out}, &told, &errs); status != exitOK ||
		!strings.Contains(told.String(), "3 x 2 units") || !strings.Contains(errs.String(),
		"rows.csv: columns left out, as they number the rows or are their labels: 1, label") {
		t.Errorf("status %d: %s%s", status, told.String(), errs.String())
	}
}

// Errors name wrong data and settings, and nothing is written.
func TestTrainRefuses(t *testing.T) {
	dir := t.TempDir()
	out, grey := filepath.Join(dir, "my.npz"), filepath.Join(dir, "grey.csv")
	if err := os.WriteFile(grey, []byte("0,128,1\n255,0,1\n0,0,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"give the data with -data":    {"train", "-out", out},
		"as 127.5":                    {"train", "-data", grey, "-out", out},
		"fewer than a batch of 100":   {"train", "-data", grey, "-threshold", "100", "-out", out},
		"lower the learning rate":     {"train", "-data", "bars", "-rate", "100", "-out", out},
		"would overwrite the rows":    {"train", "-data", grey, "-threshold", "100", "-batch", "2", "-out", grey},
		"cannot be written":           {"train", "-data", "bars", "-out", filepath.Join(dir, "none", "my.npz")},
		"there are none":              {"train", "-data", "bars", "-rows", "9", "-batch", "5", "-patience", "9", "-out", out},
		"leave -threshold out":        {"train", "-data", "bars", "-threshold", "1", "-out", out},
		"leave one out":               {"train", "-data", "bars", "-test", grey, "-validation", "0.2", "-out", out},
		"there is no flag -momentum;": {"train", "-momentum", "1"},
		"/dev/zero is a device":       {"train", "-data", "/dev/zero", "-out", out},
		"-out /dev/full is a device":  {"train", "-data", "bars", "-out", "/dev/full"},
	} {
		var errs bytes.Buffer
		if status := cli(args, &bytes.Buffer{}, &errs); status == exitOK || !strings.Contains(errs.String(), want) {
			t.Errorf("%v: status %d, %q, want %q", args, status, errs.String(), want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: %s was written", args, out)
		}
	}
}

// The saved state must be complete, and only one program has it at a time.
func TestTrainKept(t *testing.T) {
	out := filepath.Join(t.TempDir(), "my.npz")
	o, err := parseTrain(trainArgs(out)[1:])
	if err != nil {
		t.Fatal(err)
	}
	run, err := o.open()
	if err != nil {
		t.Fatal(err)
	}
	if over, err := run.Round(func(*frame.Frame) bool { return false }); over || err != nil {
		t.Fatal(over, err)
	}
	part, err := o.openState(run)
	if err != nil {
		t.Fatal(err)
	}
	if !part.Unlocked {
		mustRefuse(t, "my.npz is being trained by another logz", trainArgs(out)...)
	}
	b, err := os.ReadFile(part.Path)
	if err == nil {
		err = part.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if part, err = o.openState(run); err != nil {
		t.Fatal(err)
	}
	part.Close()
	for _, at := range []int{0, len(b) / 4, len(b) / 2, len(b) - 1} {
		wrong := bytes.Clone(b)
		wrong[at] ^= 1
		if err := os.WriteFile(part.Path, wrong, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := o.openState(run); err == nil || !strings.Contains(err.Error(), "is damaged; remove it") {
			t.Errorf("byte %d of %d is wrong: %v", at, len(b), err)
		}
		if now, err := os.ReadFile(part.Path); err != nil || !bytes.Equal(now, wrong) {
			t.Errorf("a damaged file was changed: %v", err)
		}
	}
}
