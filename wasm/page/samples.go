package page

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/core/samples"
	"logzlab/core/wire"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/html"
	"logzlab/wasm/page/reading"
	"logzlab/wasm/page/state"
)

// readings are samples of other programs, of which the reader (wasm/court) makes a report. It must not know the
// experiment.
type readings struct {
	*desk.Desk
	state.Samples
	n       int  // orders so far
	alive   bool // the reader has files
	lang    string
	method  string            // whose report is wanted, "": the best
	options map[string]string // of the form
	came    []reading.File    // of the last example
}

// reader is the name of its program, and notLoaded the key of the event that a program of its own did not come.
const reader, notLoaded = "court", "load"

// events choose files and how they are looked at.
func (r *readings) events() map[string]func(state.Event) {
	all := map[string]func(state.Event){
		"samples-example": func(e state.Event) { r.example(e.Value) },
		"samples-second":  func(state.Event) { r.Second = !r.Second },
		"samples-cancel":  func(state.Event) { r.cancel() },
		"samples-copy":    func(state.Event) { r.Host.Copy(r.JSON) },
		"samples-save":    func(state.Event) { r.Host.Download("reading.json", "application/json", r.JSON+"\n") },
		"samples-method":  func(e state.Event) { r.method = e.Value; r.again() },
		"lost-court": func(e state.Event) {
			r.reset()
			if r.Err = problem.New("the reader of samples ended: %s", e.Value); e.Key == notLoaded && r.Browser.Alone {
				r.Err = problem.New("this file was saved without the program that reads samples; give them to the lab that it "+
					"comes from (%s)", r.Browser.Base)
			}
		},
	}
	for _, key := range []string{"units", "independent", "burn_in", "rule", "alpha"} {
		all["samples-"+key] = func(e state.Event) {
			if r.options[key] != e.Value {
				r.options[key] = strings.TrimSpace(e.Value)
				r.again()
			}
		}
	}
	return all
}

// Heads hears how files begin and end that the user has chosen: those that are samples go to their reader, and the
// others come as files.
func (b *Brain) Heads(names []string, heads [][]byte, n int) {
	b.Repaint.Seen = n
	b.Repaint.AtOnce()
	var ours []int
	arrays := 0
	for i, h := range heads {
		if bytes.HasPrefix(h, []byte("\x93NUMPY")) {
			arrays++
		}
		if b.Panels.Sheet == "samples" || b.Panels.Sheet != "train" && samples.Looks(h) {
			ours = append(ours, i)
		}
	}
	if ours == nil && arrays == 2 && len(names) == 2 { // u_kn and N_k
		ours = []int{0, 1}
	}
	b.Host.Sort(ours)
	if ours == nil {
		return
	}
	if !b.Active() { // many samples take much memory
		b.Crew.Spare()
	}
	if b.hero.On {
		b.Open("view.samples=" + state.OwnSamples)
	}
	b.Panels.Sheet, b.Settings.Samples = "samples", ""
	b.readings.Example = ""
	b.readings.order(&reading.Order{Read: true})
}

// order has a report made. New files end what the reader is at, unless they are to be compared with those that it has.
func (r *readings) order(o *reading.Order) {
	r.n++
	o.N, o.Method, o.Lang, o.Catalogue, o.Units = r.n, r.method, r.Words.Lang, r.Catalogue, r.options["units"]
	o.Second = o.Read && r.Second && r.alive && r.Body != ""
	for _, key := range slices.Sorted(maps.Keys(r.options)) {
		if value := r.options[key]; key != "units" && value != "" {
			o.Set = append(o.Set, key+"="+value)
		}
	}
	on := r.alive && (!o.Read || o.Second)
	if !on {
		r.Body, r.JSON, r.method, o.Method = "", "", "", ""
	}
	r.Busy, r.Err, r.Doing, r.Share, r.alive, r.lang = true, nil, "", 0, true, o.Lang
	var w wire.Writer
	o.Append(&w)
	r.Host.Order(reader, on, w.B)
	r.Repaint.Dirty = true
}

// again looks at the same files in another way.
func (r *readings) again() {
	if r.alive {
		r.order(&reading.Order{})
	}
}

// follow has the report made again where the language of the page is another one now.
func (r *readings) follow() {
	if r.alive && r.Body != "" && !r.Busy && r.lang != r.Words.Lang {
		r.again()
	}
}

// cancel gives up what the reader is at, and the files with it.
func (r *readings) cancel() {
	r.reset()
	r.Host.Order(reader, false, nil)
}

func (r *readings) reset() {
	r.n++
	r.Samples, r.alive, r.method = state.Samples{Example: r.Example}, false, ""
	r.Repaint.Dirty = true
}

// Judged takes an answer of the reader.
func (b *Brain) Judged(data []byte) {
	var a reading.Answer
	in := wire.Reader{B: data}
	a.Load(&in)
	r := &b.readings
	if a.N != r.n {
		return // other files came since
	}
	b.Repaint.Dirty = true
	if r.Busy, r.Doing, r.Share = a.Busy, a.Doing, a.Share; in.Err != nil {
		a.Err = in.Err
	}
	if a.Err != nil {
		r.Err = a.Err
		r.Busy, r.alive = false, r.Body != "" // what was read before is there
		b.Repaint.AtOnce()
	}
	if a.Body != "" {
		if r.Body == "" {
			b.summary.text = a.Said
		}
		r.Body, r.JSON, r.Said, r.Second = html.HTML(a.Body), a.JSON, a.Said, false
		b.Repaint.AtOnce()
	}
}

// example fetches the files of an example and reads them.
func (r *readings) example(name string) {
	r.Example = name
	i := slices.IndexFunc(state.SampleSets, func(s struct {
		Name  string
		Files []string
	}) bool {
		return s.Name == name
	})
	if i < 0 {
		return
	}
	r.Panels.Sheet, r.Busy, r.Err = "samples", true, nil
	r.n++
	n, files := r.n, state.SampleSets[i].Files
	if r.came != nil && r.came[0].Name == files[0] {
		r.order(&reading.Order{Read: true, Files: r.came})
		return
	}
	came, left := make([]reading.File, len(files)), len(files)
	for i, f := range files {
		r.Host.Fetch("samples/"+f, false, func(data []byte, err error) {
			if r.n != n {
				return
			}
			if err != nil {
				r.reset()
				r.Err = problem.New("the example %s did not come: %w", name, err)
				return
			}
			came[i] = reading.File{Name: f, Data: data}
			if left--; left == 0 {
				r.came = came
				r.order(&reading.Order{Read: true, Files: came})
			}
		})
	}
}

// openSamples opens the door, with an example or without, if the link says so.
func (b *Brain) openSamples() {
	switch name := b.Settings.Samples; name {
	case "":
	case state.OwnSamples:
		b.Panels.Sheet = "samples"
	default:
		b.readings.example(name)
	}
}
