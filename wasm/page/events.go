package page

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// Event handles something the user did, and answers with a view.
func (b *Brain) Event(e Event) {
	b.seen = e.N
	if e.Name == "picture" && e.Value == "loading" {
		b.news = true // progress, ten times a second: no answer is needed at once
	} else {
		b.dirty, b.lastView = true, 0
	}
	switch e.Name {
	case "link":
		b.Open(e.Value)
	case "run":
		switch b.state {
		case "paused":
			b.resume()
		case "running", "loading":
		default:
			b.run()
		}
	case "pause":
		b.pause()
	case "step":
		b.step()
	case "restart":
		b.run()
	case "new-seed":
		if b.spec != nil {
			b.leave()
			b.spec.Put(catalog.Names{}, "seed", fmt.Sprint(b.host.Random()))
			b.run()
		}
	case "visibility":
		b.hide(e.Hidden)
	case "model", "method", "param", "seed", "replicates":
		if err := b.change(e); err != nil {
			b.problem = &Message{Level: "error", Text: b.words.T("not.taken", b.words.Sentence(err))}
		}
	default:
		b.pageEvent(e)
	}
}

// change edits the experiment. An edited experiment waits for Run, so that its
// link, its controls and its numbers always belong together.
func (b *Brain) change(e Event) error {
	names := catalog.Names{}
	base := b.spec
	if base == nil {
		base, _ = spec.ParseLink(DefaultLink, names)
	}
	s := *base
	s.Methods = slices.Clone(base.Methods)
	s.Set = map[string]string{}
	for k, v := range base.Set {
		s.Set[k] = v
	}
	switch e.Name {
	case "model":
		if e.Value != s.Model && !names.HasModel(e.Value) && e.Value != b.ownID {
			return problem.New("model %q is not known", e.Value)
		}
		s.Model = e.Value
		for k := range s.Set { // another kind of model has other parameters
			if !strings.Contains(k, ".") {
				delete(s.Set, k)
			}
		}
	case "method":
		at := slices.Index(s.Methods, e.Value)
		if _, ok := names.MethodParams(e.Value); !ok {
			return problem.New("method %q is not known", e.Value)
		}
		if e.On == (at >= 0) {
			return nil
		}
		if e.On {
			if len(s.Methods) >= maxMethods {
				return errors.New(b.words.T("three.methods"))
			}
			s.Methods = append(s.Methods, e.Value)
			slices.SortFunc(s.Methods, func(x, y string) int { // catalogue order
				return slices.Index(names.MethodNames(), x) - slices.Index(names.MethodNames(), y)
			})
		} else {
			if len(s.Methods) == 1 {
				return errors.New(b.words.T("one.method"))
			}
			s.Methods = slices.Delete(s.Methods, at, at+1)
			for k := range s.Set {
				if strings.HasPrefix(k, e.Value+".") {
					delete(s.Set, k)
				}
			}
		}
	case "param":
		if q, ok := paramOf(e.Key); ok && q.Type == "int" {
			e.Value = ungroup(e.Value)
		}
		if err := s.PutKey(names, e.Key, e.Value); err != nil {
			return err
		}
	default:
		if err := s.Put(names, e.Name, e.Value); err != nil {
			return err
		}
	}
	if b.spec != nil && s.Link() == b.spec.Link() {
		return nil
	}
	b.stop()
	b.leave()
	b.spec, b.bad = &s, false
	if b.waits() {
		b.host.Field(b.density)
	}
	return nil
}

// waits reports whether the target of an edited experiment can stand in the picture,
// faint, until Run.
func (b *Brain) waits() bool {
	return b.state == "idle" && b.scene().target && b.densityOf == engine.ModelKey(b.spec)
}

// leave makes the next link a new entry of the history if this one's experiment was
// run: Back then leads to it. Edits before the next Run share one entry.
func (b *Brain) leave() {
	if b.ran {
		b.entry, b.ran = b.entry+1, false
	}
}

// File takes an own model file, by the file control or dropped on the page; n is
// the number of that event.
func (b *Brain) File(name string, data []byte, n int) {
	b.dirty, b.lastView = true, 0
	f, err := models.ReadFile(data)
	if err == nil { // a file that parses may still be invalid
		s := spec.Spec{Set: map[string]string{}}
		_, err = models.FromFile(name, f, s.Values(f.Kind().Params, ""))
	}
	if err != nil {
		b.problem = &Message{Level: "error", Text: b.words.T("file.bad", name, b.words.Sentence(err))}
		return
	}
	id := modelfile.ID(data)
	if b.spec != nil && spec.IsFile(b.spec.Model) && b.spec.Model != b.ownID && b.spec.Model != id {
		b.problem = &Message{Level: "error", Text: b.words.T("file.other", name, id, b.spec.Model),
			Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	b.src.File, b.src.Name, b.ownID, b.own, b.ownN = f, name, id, data, n
	if b.spec == nil || b.spec.Model != id {
		if err := b.change(Event{Name: "model", Value: id}); err != nil {
			b.problem = &Message{Level: "error", Text: b.words.Sentence(err)}
			return
		}
	}
	b.run()
}

func (b *Brain) pause() {
	if b.state != "running" {
		return
	}
	b.state, b.paused, b.stepped, b.restAt = "paused", true, false, b.host.Now()
	b.tell(engine.MsgPause)
}

func (b *Brain) resume() {
	b.state, b.paused = "running", false
	b.resting += b.host.Now() - b.restAt
	b.tell(engine.MsgResume)
	b.assign()
}

// step lets each lane make one more frame; an idle lane gets a unit that stops after its first
// frame.
func (b *Brain) step() {
	if b.state == "running" {
		b.pause()
	}
	if b.state != "paused" || b.job == nil {
		return
	}
	b.stepped = true
	b.tell(engine.MsgStep)
	for id, l := range b.lanes {
		if l.ready && l.task == nil {
			k := b.job.Take()
			if k == nil {
				break
			}
			b.send(id, l, k, true)
			b.host.Post(id, []byte{engine.MsgStep})
		}
	}
	b.assign()
}

// tell sends a control message to every busy lane. Paused lanes answer too, so silence is
// measured from now.
func (b *Brain) tell(kind byte) {
	for id, l := range b.lanes {
		if l.task != nil {
			l.heard = b.host.Now()
			b.host.Post(id, []byte{kind})
		}
	}
}

// hide pauses while the page is hidden: browsers slow hidden pages down, and a phone should save
// its battery.
func (b *Brain) hide(hidden bool) {
	if hidden == b.hidden {
		return
	}
	b.hidden = hidden
	switch {
	case hidden && b.state == "running":
		b.pause()
		b.paused = false // not paused by the user, so it resumes by itself
	case !hidden && b.state == "paused" && !b.paused:
		b.resume()
	}
}
