package state

import (
	"logzlab/core/workerapi"
	"logzlab/render/html"
)

// Samples is the state of the sheet for external samples.
type Samples struct {
	Example     string    // the example of the site, "" for files of the user
	Busy        bool      // the reader is working
	CurrentFile string    // the file being read, "" while the samples are evaluated
	Share       float64   // share of the files that is read
	Err         error     // why there is no new report
	Body        html.HTML // the report
	JSON        string
	Summary     string // the result in one sentence
	Comparing   bool   // the next files will be compared with these

	Files []workerapi.File // the files of the last example
}

// SingleFileParts adds the files that are being read to those of a page saved as a single file, and returns the example
// and the programs that the page then needs.
func (x *Samples) SingleFileParts(files map[string][]byte) (example string, programs []string) {
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

// SampleSets are the examples of the site, with their files.
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

// OwnSamples is the value of view.samples for the sheet without an example.
const OwnSamples = "own"

// SampleNames returns the values that view.samples may have.
func SampleNames() []string {
	names := []string{OwnSamples}
	for _, s := range SampleSets {
		names = append(names, s.Name)
	}
	return names
}
