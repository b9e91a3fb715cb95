package page

import (
	"strings"

	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/wasm/page/program"
	"logzlab/wasm/page/state"
)

// programs is the program that the user works at, and its tape. It must not know lanes or views.
type programs struct {
	state.Program
	n     int            // orders so far
	loose string         // data that came before a program
	tape  string         // the file that is to come of the last answer
	id    string         // of the last tape
	link  string         // what stands for the program in the links of that tape
	last  state.Previous // the last results of a program,
	other state.Previous // and of another one before it
	apart string         // a link's model of which the program makes another tape, and the user said to run that
	rival rival
}

// rival is the program that the one of a link is compared with. It runs first.
type rival struct {
	tried string // what the last link had of it
	then  string // the link, as long as its rival runs
	id    string // of the rival's tape, once it is there
}

// linkOf is what the links of a model say of its program.
func (p *programs) linkOf(model string) string {
	if p.id != model {
		return ""
	}
	return p.link
}

// programEvents write, choose and run a program.
func (b *Brain) programEvents() map[string]func(state.Event) {
	p := &b.programs
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
		"compile":        func(state.Event) { b.compile("") },
		"example":        func(e state.Event) { b.example(e.Value) },
		"lost-stan":      b.lostCompiler,
		"program-anyway": func(state.Event) {
			p.apart = b.Spec.Model
			b.read(b.LastFile, false)
		},
	}
}

// compile has a tape made of the program, or of the one that a link has packed.
func (b *Brain) compile(link string) {
	p := &b.programs
	if p.n++; p.Name == "" {
		p.Name = "program"
	}
	p.Busy, p.Err, p.Notes, p.Excerpt, p.Line = true, nil, nil, "", 0
	o := program.Order{N: p.n, Name: p.Name, Source: p.Source, Data: p.Data}
	if link != "" {
		o = program.Order{N: p.n, Link: link}
	}
	var w wire.Writer
	o.Append(&w)
	b.Host.Order("stan", false, w.B)
	b.Repaint.Dirty = true
}

// Compiled takes the compiler's answer. The tape comes next, as a file.
func (b *Brain) Compiled(data []byte) {
	var a program.Answer
	r := wire.Reader{B: data}
	a.Read(&r)
	p := &b.programs
	if a.N != p.n {
		return // it was edited since
	}
	if b.Repaint.AtOnce(); r.Err != nil {
		b.uncompiled(r.Err)
		return
	}
	if a.Source != "" {
		p.Name, p.Source, p.Data = a.Name, a.Source, a.Data
	}
	p.Line, p.Excerpt = a.Line, a.Excerpt
	if a.Err != nil {
		b.uncompiled(a.Err)
		return
	}
	p.Busy, p.tape, p.link, p.Packed = false, a.Name+program.Ending, a.Link, a.Link != ""
	p.Parameters, p.Notes = a.Parameters, a.Notes
}

// lostCompiler hears that the compiler has ended, or did not come.
func (b *Brain) lostCompiler(e state.Event) {
	if e.Key == notLoaded && b.Browser.Alone {
		b.uncompiled(problem.New("this file was saved without the compiler of programs; give them to the lab that it comes "+
			"from (%s)", b.Browser.Base))
		return
	}
	b.uncompiled(problem.New("the compiler ended: %s", e.Value))
}

// uncompiled says why there is no tape, where the program stands.
func (b *Brain) uncompiled(err error) {
	b.programs.Busy, b.programs.Err = false, err
	if !b.check.going() {
		b.Panels.Sheet = "program"
	}
	if b.Repaint.Dirty = true; b.State == "loading" && b.Spec != nil && b.LacksOwn() {
		b.Fail(err)
	}
}

// example fetches a ready program with its data, and runs it.
func (b *Brain) example(name string) {
	p, withData, known := &b.programs, false, false
	for _, e := range state.Examples {
		if e.Name == name {
			withData, known = e.Data, true
		}
	}
	if !known {
		return
	}
	p.n++
	n := p.n
	p.Busy, p.Example, p.Err = true, name, nil
	b.Panels.Sheet = "program"
	fetch := func(file string, done func(text string)) {
		b.Host.Fetch("programs/"+file, false, func(data []byte, err error) {
			switch {
			case p.n != n:
			case err != nil:
				b.uncompiled(problem.New("the program %s did not come: %w", name, err))
			default:
				done(string(data))
			}
		})
	}
	fetch(name+".stan", func(source string) {
		begin := func(data string) {
			p.Name, p.Source, p.Data = name, source, data
			b.compile("")
		}
		if withData {
			fetch(name+".json", begin)
		} else {
			begin("")
		}
	})
}

// takesProgram takes a file that is a program, its data, or both; false: it is another file. Data that come first are
// kept until their program is there.
func (b *Brain) takesProgram(name string, data []byte) bool {
	p := &b.programs
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
	case p.Source != "" && (b.Panels.Sheet == "program" || b.Spec != nil && b.Spec.Model == p.id):
		name, source, values = p.Name, p.Source, string(data)
	default:
		p.loose = string(data) // a model, or what a program will need
		return false
	}
	p.Name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".stan")
	p.Source, p.Data, p.Example, p.loose = source, values, "", ""
	b.compile("")
	return true
}

// takesTape learns which tape the program has become, and its link.
func (p *programs) takesTape(name string, data []byte) {
	if p.tape == name {
		p.tape, p.id = "", modelfile.ID(data)
	}
}

// other says that the program of a link makes another tape than the link names, and offers to run the new one.
func (b *Brain) other(name, id string) {
	b.State = "idle"
	b.Problem = &state.Message{Level: "warn", Text: b.Words.T("program.other", name, id, b.Spec.Model),
		Action: &state.Action{Label: b.Words.T("run.anyway"), Event: "program-anyway"}}
}

// meetRival runs the rival that a link brings along, unless it has been run; false: there is none to be run. Who embeds
// the page, or shares a room, sees one experiment alone.
func (b *Brain) meetRival() bool {
	p, code := &b.programs, b.Settings.Rival
	if code == "" || spec.IsFile(code) || code == p.rival.tried || code == p.last.Program || code == p.other.Program ||
		b.Settings.Embed || b.room.Open() {
		return false
	}
	p.rival = rival{tried: code, then: b.Spec.Link() + b.Settings.Link()}
	b.State = "loading"
	b.compile(code)
	return true
}

// takeRival makes the experiment of the link one with the rival, whose tape it is.
func (b *Brain) takeRival(id string) {
	p := &b.programs
	if r := &p.rival; r.then != "" && r.id == "" && p.id == id && strings.HasPrefix(r.then, b.Spec.Link()) {
		r.id, b.Spec = id, b.Draft()
		b.Spec.Model, b.Settings.Expect, b.Settings.Rival = id, nil, ""
	}
}

// afterRival opens the link whose rival has run, or failed, unless the user does something else.
func (b *Brain) afterRival() {
	r := &b.programs.rival
	switch {
	case r.then == "":
	case b.Spec == nil || b.Spec.Model != r.id && !strings.HasPrefix(r.then, b.Spec.Link()):
		r.then = ""
	case r.id == "" && b.programs.Err == nil: // it is being compiled
	case b.State == "done" || b.State == "failed" || b.programs.Err != nil:
		link := r.then
		r.then, b.programs.Err = "", nil
		b.Open(link)
	}
}

// keepRival has the link say what the result is compared with, where that is a program.
func (b *Brain) keepRival() {
	if all := b.Results(); len(all) > 0 && state.IsProgram(all[0]) {
		if with := b.rivalOf(all[0]).Program; with != "" {
			b.Settings.Rival = with
		}
	}
}

// lacksProgram reports whether the link brings a program for its tape, which is then compiled.
func (b *Brain) lacksProgram() bool {
	if b.Settings.Program == "" || !spec.IsFile(b.Spec.Model) {
		return false
	}
	b.State = "loading"
	b.compile(b.Settings.Program)
	return true
}
