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

// Programs has the Stan program that the user edits, and its compiled form (the tape), which the page opens as a model.
// It does not depend on lanes or views.
type Programs struct {
	*shared.Context
	state.Program
	facts run.Facts

	requestNumber int            // number of the last request to the compiler
	pendingData   string         // data that arrived before a program
	expectedTape  string         // name of the tape file that follows the compiler's answer, "" if none is expected
	tapeID        string         // id of the last tape
	packed        string         // program of that tape, packed for links
	LastResults   state.Previous // results of the last program that ran
	OlderResults  state.Previous // results of the program that ran before it
	acceptedModel string         // model of a link that the user has agreed to replace by the tape that its program compiles to
	rival         rival
}

// New returns Programs without a program.
func New(d *shared.Context, f run.Facts) Programs { return Programs{Context: d, facts: f} }

// rival is a second program in a link, to be compared with the program of the link. The rival runs first.
type rival struct {
	packed     string // the rival of the last link, packed
	returnLink string // link to open after the rival has run, "" if none
	tapeID     string // id of the rival's tape, once it is compiled
}

// IsLastTape reports whether a model is the last tape.
func (p *Programs) IsLastTape(model string) bool { return p.tapeID == model }

// UserAccepted reports whether the user agreed to run another tape instead of this model of a link.
func (p *Programs) UserAccepted(model string) bool { return p.acceptedModel == model }

// Pending reports whether a tape is being compiled or delivered.
func (p *Programs) Pending() bool { return p.Busy || p.expectedTape != "" }

// PackedProgram returns the program of a model, packed for links, or "" if the model is not the last tape.
func (p *Programs) PackedProgram(model string) string {
	if p.tapeID != model {
		return ""
	}
	return p.packed
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
		"example":        func(e state.Event) { p.loadExample(e.Value) },
		"lost-compiler":  p.lostCompiler,
		"program-anyway": func(state.Event) {
			p.acceptedModel = p.facts.Spec().Model
			p.Queue(effect.ReadModel{File: p.LastFile})
		},
	}
}

// compile sends the edited program to the compiler, or, if link is not empty, the program that is packed in link.
func (p *Programs) compile(link string) {
	if p.requestNumber++; p.Name == "" {
		p.Name = "program"
	}
	p.Busy, p.Err, p.Notes, p.Excerpt, p.Line = true, nil, nil, "", 0
	o := workerapi.CompileRequest{N: p.requestNumber, Name: p.Name, Source: p.Source, Data: p.Data}
	if link != "" {
		o = workerapi.CompileRequest{N: p.requestNumber, Link: link}
	}
	var w wire.Writer
	w.Value(o)
	p.Host.SendRequest(workerapi.Compiler, false, w.B)
	p.Repaint.Dirty = true
}

// TakeAnswer handles the compiler's answer: an error, or the notes on a program whose tape follows as a file.
func (p *Programs) TakeAnswer(data []byte) {
	var a workerapi.CompileAnswer
	r := wire.Reader{B: data}
	r.Value(&a)
	if a.N != p.requestNumber {
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
	p.Busy, p.expectedTape, p.packed, p.FitsLink = false, a.Name+workerapi.TapeExtension, a.Link, a.Link != ""
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

// loadExample loads an example, a program with its data, from the site and compiles it.
func (p *Programs) loadExample(name string) {
	hasData, isKnown := false, false
	for _, e := range state.Examples {
		if e.Name == name {
			hasData, isKnown = e.Data, true
		}
	}
	if !isKnown {
		return
	}

	// A new request invalidates older ones.
	p.requestNumber++
	n := p.requestNumber
	p.Busy, p.Example, p.Err = true, name, nil
	p.Panels.Sheet = "program"
	fetch := func(file string, use func(text string)) {
		p.Host.Fetch("programs/"+file, false, func(data []byte, err error) {
			switch {
			case p.requestNumber != n:
			case err != nil:
				p.showError(problem.New("the program %s could not be loaded: %w", name, err))
			default:
				use(string(data))
			}
		})
	}

	// The source first, then the data if the program has any.
	fetch(name+".stan", func(source string) {
		begin := func(data string) {
			p.Name, p.Source, p.Data = name, source, data
			p.compile("")
		}
		if hasData {
			fetch(name+".json", begin)
		} else {
			begin("")
		}
	})
}

// TakeFile compiles a file that is a program, its data, or both; it returns false for other files. Data that arrive
// before their program are stored until the program arrives.
func (p *Programs) TakeFile(name string, data []byte) bool {
	source, values := "", ""
	isBundle := string(data[:min(len(data), len(modelfile.PartsMark))]) == modelfile.PartsMark
	switch {
	case isBundle:
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
	case p.Source != "" && (p.Panels.Sheet == "program" || p.facts.Spec() != nil && p.facts.Spec().Model == p.tapeID):
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
	if p.expectedTape == name {
		p.expectedTape, p.tapeID = "", modelfile.ID(data)
	}
}

// OfferOtherTape reports whether the tape id comes from the program of the link, which names another tape. If so, it
// shows a message that offers to run the new tape. name is the name of the tape.
func (p *Programs) OfferOtherTape(name, id string) bool {
	if p.tapeID != id || p.Settings.Program == "" {
		return false
	}
	p.Problem = &state.Message{Level: "warn", Text: p.Words.T("program.other", name, id, p.facts.Spec().Model),
		Action: &state.Action{Label: p.Words.T("run.anyway"), Event: "program-anyway"}}
	return true
}

// CompileRival compiles the rival of a link, so that it runs before the program of the link. It returns false if the
// link has no rival or the rival has run already. Embedded pages show only one experiment.
func (p *Programs) CompileRival() bool {
	code := p.Settings.Rival
	if code == "" || spec.IsFile(code) || code == p.rival.packed || code == p.LastResults.Program || code == p.OlderResults.Program ||
		p.Settings.Embed {
		return false
	}
	p.rival = rival{packed: code, returnLink: p.facts.Spec().Link() + p.Settings.Link()}
	p.compile(code)
	return true
}

// TakeRival reports whether the tape id is the one of the rival, which then runs instead of the link's model.
func (p *Programs) TakeRival(id string) bool {
	r := &p.rival
	isRival := r.returnLink != "" && r.tapeID == "" && p.tapeID == id && strings.HasPrefix(r.returnLink, p.facts.Spec().Link())
	if isRival {
		r.tapeID = id
	}
	return isRival
}

// AfterRival opens the link after its rival has run or failed, unless the user has opened another experiment.
func (p *Programs) AfterRival() {
	r, s := &p.rival, p.facts.Spec()
	switch {
	case r.returnLink == "":
	case s == nil || s.Model != r.tapeID && !strings.HasPrefix(r.returnLink, s.Link()):
		r.returnLink = ""
	case r.tapeID == "" && p.Err == nil: // it is being compiled
	case p.facts.State().Over() || p.Err != nil:
		p.Queue(effect.OpenLink{Link: r.returnLink})
		r.returnLink, p.Err = "", nil
	}
}

// CompileLinked compiles the program of a link whose model is its tape. It returns false if the link has no program.
func (p *Programs) CompileLinked() bool {
	if p.Settings.Program == "" || !spec.IsFile(p.facts.Spec().Model) {
		return false
	}
	p.compile(p.Settings.Program)
	return true
}

// StoreResults stores the results of a program, so that another one for the same data can be compared with it.
func (p *Programs) StoreResults(results state.Previous) {
	if len(results.Reports) == 0 || !state.IsProgram(results.Reports[0]) || results.Reports[0].DataID == "" {
		return
	}
	if p.LastResults.Target != results.Target {
		p.OlderResults = p.LastResults
	}
	p.LastResults = results
}
