package state

import (
	"logzlab/core/workerapi"
	"logzlab/render/html"
)

// Samples is what stands in the sheet about samples of another program.
type Samples struct {
	Example string    // the one of the site that they are, "": files of the user
	Busy    bool      // the reader is at work
	Doing   string    // the file that it reads, "": it judges
	Share   float64   // of that
	Err     error     // why there is no report, or no new one
	Body    html.HTML // the report
	JSON    string
	Said    string // the result in a sentence
	Second  bool   // the next files are to be compared with these

	Files []workerapi.File // of the last example, to be read again or kept
}

// Alone adds to the files of a page that is one file what is read in it, and names the example and the programs for
// that.
func (x *Samples) Alone(files map[string][]byte) (example string, programs []string) {
	if x.Body == "" {
		return "", nil
	}
	for _, f := range x.Files {
		if x.Example != "" {
			files["samples/"+f.Name] = f.Data
		}
	}
	return x.Example, []string{workerapi.Reader + ".wasm.gz"}
}

// SampleSets are the examples on the site, with their files.
var SampleSets = []struct {
	Name  string
	Files []string
}{
	{"power-good", []string{"power-good.csv"}},
	{"power-rival", []string{"power-rival.csv"}},
	{"power-starved", []string{"power-starved.csv"}},
	{"windows", []string{"windows-0.xvg", "windows-1.xvg", "windows-2.xvg", "windows-3.xvg", "windows-4.xvg"}},
	{"nested", []string{"nested.csv"}},
}

// OwnSamples stands in a link for the door without an example.
const OwnSamples = "own"

// SampleNames are what view.samples may be.
func SampleNames() []string {
	names := []string{OwnSamples}
	for _, s := range SampleSets {
		names = append(names, s.Name)
	}
	return names
}
