package programs

import (
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// Programs is the Stan program that the user edits, and its compiled tape. It must not know lanes or views.
type Programs struct {
	*shared.Context
	state.Program
	facts run.Facts

	n             int            // number of the last request
	pendingData   string         // data that arrived before a program
	tape          string         // name of the tape file that will follow the last answer
	id            string         // id of the last tape
	link          string         // the packed program of that tape, for links
	Last          state.Previous // the last results of a program
	Older         state.Previous // results of the program before
	acceptedModel string         // model of a link whose program now gives another tape, which the user chose to run
	rival         rival
}

// New returns Programs without a program.
func New(d *shared.Context, f run.Facts) Programs { return Programs{Context: d, facts: f} }

// rival is the program to compare with that a link contains. It runs first.
type rival struct {
	tried string // the packed rival of the last link
	then  string // the link to open when its rival has run
	id    string // id of the rival's tape, once it is compiled
}

// IsLastTape reports whether a model is the last tape.
func (p *Programs) IsLastTape(model string) bool { return p.id == model }

// UserAccepted reports whether the user chose to run the tape instead of a link's model.
func (p *Programs) UserAccepted(model string) bool { return p.acceptedModel == model }

// Pending reports whether a tape is being compiled or delivered.
func (p *Programs) Pending() bool { return p.Busy || p.tape != "" }

// LinkOf returns the packed program of a model for links.
func (p *Programs) LinkOf(model string) string {
	if p.id != model {
		return ""
	}
	return p.link
}

// Events are the events that edit, choose and run a program.
func (p *Programs) Events() map[string]func(state.Event) {
	write := func(to *string) func(state.Event) {
		return func(e state.Event) {
			if *to != e.Value {
				*to, p.Err, p.Example = e.Value, nil, ""
			}
		}
	}
	return map[string]func(state.Event){
		"program-source": write(&p.Source),
		"program-data":   write(&p.Data),
		"program-drop":   func(state.Event) { p.Data, p.Err = "", nil },
		"compile":        func(state.Event) { p.compile("") },
		"example":        func(e state.Event) { p.example(e.Value) },
		"lost-compiler":  p.lostCompiler,
		"program-anyway": func(state.Event) {
			p.acceptedModel = p.facts.Spec().Model
			p.Queue(effect.ReadModel{File: p.LastFile})
		},
	}
}

// compile sends the program, or the one packed in a link, to the compiler.
func (p *Programs) compile(link string) {
	if p.n++; p.Name == "" {
		p.Name = "program"
	}
	p.Busy, p.Err, p.Notes, p.Excerpt, p.Line = true, nil, nil, "", 0
	o := workerapi.CompileRequest{N: p.n, Name: p.Name, Source: p.Source, Data: p.Data}
	if link != "" {
		o = workerapi.CompileRequest{N: p.n, Link: link}
	}
	var w wire.Writer
	w.Value(o)
	p.Host.SendRequest(workerapi.Compiler, false, w.B)
	p.Repaint.Dirty = true
}

// Answered handles the compiler's answer. The tape follows as a file.
func (p *Programs) Answered(data []byte) {
	var a workerapi.CompileAnswer
	r := wire.Reader{B: data}
	r.Value(&a)
	if a.N != p.n {
		return // the program was edited meanwhile
	}
	if p.Repaint.AtOnce(); r.Err != nil {
		p.showError(r.Err)
		return
	}
	if a.Source != "" {
		p.Name, p.Source, p.Data = a.Name, a.Source, a.Data
	}
	p.Line, p.Excerpt = a.Line, a.Excerpt
	if a.Err != nil {
		p.showError(a.Err)
		return
	}
	p.Busy, p.tape, p.link, p.FitsLink = false, a.Name+workerapi.TapeExtension, a.Link, a.Link != ""
	p.Parameters, p.Notes = a.Parameters, a.Notes
}

// lostCompiler handles a compiler that ended or could not be loaded.
func (p *Programs) lostCompiler(e state.Event) {
	if e.Key == shared.NotLoaded && p.Browser.SingleFile {
		p.showError(problem.New("this file was saved without the compiler of programs; give them to the lab that it comes "+
			"from (%s)", p.Browser.Base))
		return
	}
	p.showError(problem.New("the compiler stopped: %s", e.Value))
}

// showError shows the error of a program.
func (p *Programs) showError(err error) {
	p.Busy, p.Err = false, err
	if !p.Snapshots.Outline().Check.InProgress() {
		p.Panels.Sheet = "program"
	}
	p.Repaint.Dirty = true
	if x := p.facts.Experiment(); p.facts.State() == runstate.Loading && x.Spec != nil && x.NeedsOwnFile() {
		p.Queue(effect.Fail{Err: err})
	}
}

// example loads a ready program with its data, and runs it.
func (p *Programs) example(name string) {
	withData, known := false, false
	for _, e := range state.Examples {
		if e.Name == name {
			withData, known = e.Data, true
		}
	}
	if !known {
		return
	}

	// A new request invalidates older ones.
	p.n++
	n := p.n
	p.Busy, p.Example, p.Err = true, name, nil
	p.Panels.Sheet = "program"
	fetch := func(file string, done func(text string)) {
		p.Host.Fetch("programs/"+file, false, func(data []byte, err error) {
			switch {
			case p.n != n:
			case err != nil:
				p.showError(problem.New("the program %s could not be loaded: %w", name, err))
			default:
				done(string(data))
			}
		})
	}

	// The source first, then the data if the program has any.
	fetch(name+".stan", func(source string) {
		begin := func(data string) {
			p.Name, p.Source, p.Data = name, source, data
			p.compile("")
		}
		if withData {
			fetch(name+".json", begin)
		} else {
			begin("")
		}
	})
}

// TakeFile takes a file that is a program, its data, or both; it returns false for other files. Data that arrive first
// are kept until their program arrives.
func (p *Programs) TakeFile(name string, data []byte) bool {
	source, values := "", ""
	begins := string(data[:min(len(data), len(modelfile.PartsMark))]) == modelfile.PartsMark
	switch {
	case begins:
		parts, err := modelfile.Parts(data)
		if err != nil || len(parts) != 2 || !modelfile.IsProgram(parts[0].Name) {
			return false
		}
		name, source, values = parts[0].Name, string(parts[0].Data), string(parts[1].Data)
	case modelfile.IsProgram(name):
		source, values = string(data), p.Data
		if p.pendingData != "" {
			values = p.pendingData
		}
	case !modelfile.IsData(name):
		return false
	case p.Source != "" && (p.Panels.Sheet == "program" || p.facts.Spec() != nil && p.facts.Spec().Model == p.id):
		name, source, values = p.Name, p.Source, string(data)
	default:
		p.pendingData = string(data) // a model, or data for a later program
		return false
	}
	p.Name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".stan")
	p.Source, p.Data, p.Example, p.pendingData = source, values, "", ""
	p.compile("")
	return true
}

// NoteTape records the id of the program's tape.
func (p *Programs) NoteTape(name string, data []byte) {
	if p.tape == name {
		p.tape, p.id = "", modelfile.ID(data)
	}
}

// OfferOtherTape reports whether the program of a link compiles to another tape than the link names, and offers to run
// the new one.
func (p *Programs) OfferOtherTape(name, id string) bool {
	if p.id != id || p.Settings.Program == "" {
		return false
	}
	p.Problem = &state.Message{Level: "warn", Text: p.Words.T("program.other", name, id, p.facts.Spec().Model),
		Action: &state.Action{Label: p.Words.T("run.anyway"), Event: "program-anyway"}}
	return true
}

// CompileRival compiles the program to compare with that a link contains, to run it first, unless it has been run; it
// returns false if there is none. Embedded pages and rooms show only one experiment.
func (p *Programs) CompileRival() bool {
	code := p.Settings.Rival
	if code == "" || spec.IsFile(code) || code == p.rival.tried || code == p.Last.Program || code == p.Older.Program ||
		p.Settings.Embed {
		return false
	}
	p.rival = rival{tried: code, then: p.facts.Spec().Link() + p.Settings.Link()}
	p.compile(code)
	return true
}

// TakeRival reports whether a tape is that of the rival, which then runs instead of the link's model.
func (p *Programs) TakeRival(id string) bool {
	r := &p.rival
	taken := r.then != "" && r.id == "" && p.id == id && strings.HasPrefix(r.then, p.facts.Spec().Link())
	if taken {
		r.id = id
	}
	return taken
}

// AfterRival opens the link when its rival has run or failed, unless the user has done something else.
func (p *Programs) AfterRival() {
	r, s := &p.rival, p.facts.Spec()
	switch {
	case r.then == "":
	case s == nil || s.Model != r.id && !strings.HasPrefix(r.then, s.Link()):
		r.then = ""
	case r.id == "" && p.Err == nil: // it is being compiled
	case p.facts.State().Over() || p.Err != nil:
		p.Queue(effect.OpenLink{Link: r.then})
		r.then, p.Err = "", nil
	}
}

// CompileLinked reports whether the link contains a program for its tape, which is then compiled.
func (p *Programs) CompileLinked() bool {
	if p.Settings.Program == "" || !spec.IsFile(p.facts.Spec().Model) {
		return false
	}
	p.compile(p.Settings.Program)
	return true
}

// StoreResults stores the results of a program, so that another one for the same data can be compared with it.
func (p *Programs) StoreResults(done state.Previous) {
	if len(done.Reports) == 0 || !state.IsProgram(done.Reports[0]) || done.Reports[0].DataID == "" {
		return
	}
	if p.Last.Target != done.Target {
		p.Older = p.Last
	}
	p.Last = done
}
