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

// Programs is the program that the user works at, and its tape. It must not know lanes or views.
type Programs struct {
	*shared.Context
	state.Program
	facts run.Facts

	n     int            // orders so far
	loose string         // data that came before a program
	tape  string         // the file that is to come of the last answer
	id    string         // of the last tape
	link  string         // what stands for the program in the links of that tape
	Last  state.Previous // the last results of a program,
	Older state.Previous // and of another one before it
	apart string         // a link's model of which the program makes another tape, and the user said to run that
	rival rival
}

// New has no program yet.
func New(d *shared.Context, f run.Facts) Programs { return Programs{Context: d, facts: f} }

// rival is the program that the one of a link is compared with. It runs first.
type rival struct {
	tried string // what the last link had of it
	then  string // the link, as long as its rival runs
	id    string // of the rival's tape, once it is there
}

// Made reports whether a model is the last tape.
func (p *Programs) Made(model string) bool { return p.id == model }

// Agreed reports whether the user runs the tape in place of a link's model.
func (p *Programs) Agreed(model string) bool { return p.apart == model }

// Awaited reports whether a tape is to come.
func (p *Programs) Awaited() bool { return p.Busy || p.tape != "" }

// LinkOf is what the links of a model say of its program.
func (p *Programs) LinkOf(model string) string {
	if p.id != model {
		return ""
	}
	return p.link
}

// Events write, choose and run a program.
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
			p.apart = p.facts.Spec().Model
			p.Do(effect.ReadModel{File: p.LastFile})
		},
	}
}

// compile has a tape made of the program, or of the one that a link has packed.
func (p *Programs) compile(link string) {
	if p.n++; p.Name == "" {
		p.Name = "program"
	}
	p.Busy, p.Err, p.Notes, p.Excerpt, p.Line = true, nil, nil, "", 0
	o := workerapi.Compile{N: p.n, Name: p.Name, Source: p.Source, Data: p.Data}
	if link != "" {
		o = workerapi.Compile{N: p.n, Link: link}
	}
	var w wire.Writer
	w.Value(o)
	p.Host.Order(workerapi.Compiler, false, w.B)
	p.Repaint.Dirty = true
}

// Answered takes the compiler's answer. The tape comes next, as a file.
func (p *Programs) Answered(data []byte) {
	var a workerapi.Compiled
	r := wire.Reader{B: data}
	r.Value(&a)
	if a.N != p.n {
		return // it was edited since
	}
	if p.Repaint.AtOnce(); r.Err != nil {
		p.uncompiled(r.Err)
		return
	}
	if a.Source != "" {
		p.Name, p.Source, p.Data = a.Name, a.Source, a.Data
	}
	p.Line, p.Excerpt = a.Line, a.Excerpt
	if a.Err != nil {
		p.uncompiled(a.Err)
		return
	}
	p.Busy, p.tape, p.link, p.Packed = false, a.Name+workerapi.Ending, a.Link, a.Link != ""
	p.Parameters, p.Notes = a.Parameters, a.Notes
}

// lostCompiler hears that the compiler has ended, or did not come.
func (p *Programs) lostCompiler(e state.Event) {
	if e.Key == shared.NotLoaded && p.Browser.Alone {
		p.uncompiled(problem.New("this file was saved without the compiler of programs; give them to the lab that it comes "+
			"from (%s)", p.Browser.Base))
		return
	}
	p.uncompiled(problem.New("the compiler stopped: %s", e.Value))
}

// uncompiled says why there is no tape, where the program stands.
func (p *Programs) uncompiled(err error) {
	p.Busy, p.Err = false, err
	if !p.Snapshots.Outline().Check.Going() {
		p.Panels.Sheet = "program"
	}
	p.Repaint.Dirty = true
	if x := p.facts.Experiment(); p.facts.State() == runstate.Loading && x.Spec != nil && x.LacksOwn() {
		p.Do(effect.Fail{Err: err})
	}
}

// example fetches a ready program with its data, and runs it.
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

	// A new fetch makes older fetches void.
	p.n++
	n := p.n
	p.Busy, p.Example, p.Err = true, name, nil
	p.Panels.Sheet = "program"
	fetch := func(file string, done func(text string)) {
		p.Host.Fetch("programs/"+file, false, func(data []byte, err error) {
			switch {
			case p.n != n:
			case err != nil:
				p.uncompiled(problem.New("the program %s could not be loaded: %w", name, err))
			default:
				done(string(data))
			}
		})
	}

	// The source first, then the data where the program has some.
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

// Claims takes a file that is a program, its data, or both; false: it is another file. Data that come first are
// kept until their program is there.
func (p *Programs) Claims(name string, data []byte) bool {
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
		if p.loose != "" {
			values = p.loose
		}
	case !modelfile.IsData(name):
		return false
	case p.Source != "" && (p.Panels.Sheet == "program" || p.facts.Spec() != nil && p.facts.Spec().Model == p.id):
		name, source, values = p.Name, p.Source, string(data)
	default:
		p.loose = string(data) // a model, or what a program will need
		return false
	}
	p.Name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".stan")
	p.Source, p.Data, p.Example, p.loose = source, values, "", ""
	p.compile("")
	return true
}

// TakesTape learns which tape the program has become, and its link.
func (p *Programs) TakesTape(name string, data []byte) {
	if p.tape == name {
		p.tape, p.id = "", modelfile.ID(data)
	}
}

// Differs says that the program of a link makes another tape than the link names, and offers to run the new one; false:
// it does not, or the link has none.
func (p *Programs) Differs(name, id string) bool {
	if p.id != id || p.Settings.Program == "" {
		return false
	}
	p.Problem = &state.Message{Level: "warn", Text: p.Words.T("program.other", name, id, p.facts.Spec().Model),
		Action: &state.Action{Label: p.Words.T("run.anyway"), Event: "program-anyway"}}
	return true
}

// MeetRival has the rival compiled that a link brings along, to run first, unless it has been run; false: there is none
// to be run. Who embeds the page, or shares a room, sees one experiment alone.
func (p *Programs) MeetRival() bool {
	code := p.Settings.Rival
	if code == "" || spec.IsFile(code) || code == p.rival.tried || code == p.Last.Program || code == p.Older.Program ||
		p.Settings.Embed {
		return false
	}
	p.rival = rival{tried: code, then: p.facts.Spec().Link() + p.Settings.Link()}
	p.compile(code)
	return true
}

// TakeRival reports whether a tape is that of the rival of the link on show, which then runs in place of the link's.
func (p *Programs) TakeRival(id string) bool {
	r := &p.rival
	taken := r.then != "" && r.id == "" && p.id == id && strings.HasPrefix(r.then, p.facts.Spec().Link())
	if taken {
		r.id = id
	}
	return taken
}

// AfterRival opens the link whose rival has run, or failed, unless the user does something else.
func (p *Programs) AfterRival() {
	r, s := &p.rival, p.facts.Spec()
	switch {
	case r.then == "":
	case s == nil || s.Model != r.id && !strings.HasPrefix(r.then, s.Link()):
		r.then = ""
	case r.id == "" && p.Err == nil: // it is being compiled
	case p.facts.State().Over() || p.Err != nil:
		p.Do(effect.OpenLink{Link: r.then})
		r.then, p.Err = "", nil
	}
}

// Lacks reports whether the link brings a program for its tape, which is then compiled.
func (p *Programs) Lacks() bool {
	if p.Settings.Program == "" || !spec.IsFile(p.facts.Spec().Model) {
		return false
	}
	p.compile(p.Settings.Program)
	return true
}

// Keep keeps the results of a program, so that another one on the same data can be compared with it, whatever
// link or editor brings that.
func (p *Programs) Keep(done state.Previous) {
	if len(done.Reports) == 0 || !state.IsProgram(done.Reports[0]) || done.Reports[0].DataID == "" {
		return
	}
	if p.Last.Target != done.Target {
		p.Older = p.Last
	}
	p.Last = done
}
