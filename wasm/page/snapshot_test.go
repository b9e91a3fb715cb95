package page

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/models"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// TestViewsDoNotChangeSnapshot builds every part of the page, every sheet and the table of every scene twice from one
// snapshot: both times are the same, and the snapshot is as it was.
func TestViewsDoNotChangeSnapshot(t *testing.T) {
	for _, link := range []string{
		smallLink + "&view.lesson=2",
		"v=1&model=mixture2&method=ais,is,rts&ais.temperatures=30&view.tour=3&view.lang=de&replicates=3&view.pool=1",
		"v=1&model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=20&start=uniform&view.projector=1",
		"v=1&model=mixture2&method=ais&ais.chains=6&view.break=4",
	} {
		p := newPage(t, 2)
		p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/", Rooms: true})
		unchanged(t, link+", loading", p.controller.Snapshot())
		p.turn(20)
		unchanged(t, link+", running", p.controller.Snapshot())
		p.finish()
		for _, name := range []string{"param", "reason-particles", "answer"} {
			p.controller.Event(state.Event{Name: name, Key: "ais.temperatures", Value: "40"})
		}
		p.controller.Event(state.Event{Name: "run"})
		p.finish()
		for _, sheet := range view.Sheets {
			p.controller.Event(state.Event{Name: "sheet", Value: sheet})
			unchanged(t, link+", sheet "+sheet, p.controller.Snapshot())
		}
		for _, name := range scene.Names() {
			p.controller.Event(state.Event{Name: "scene", Value: name})
			p.controller.Event(state.Event{Name: "sheet", Value: "table"})
			unchanged(t, link+", scene "+name, p.controller.Snapshot())
		}
	}
}

// TestSnapshotIsIndependent builds snapshots while news of a run wait for the next repaint: curves and what is known
// of the path stay as they were painted, and the snapshots are the same.
func TestSnapshotIsIndependent(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: smallLink, Base: "https://lab.example/"})
	waits := func() bool {
		return p.controller.State() == runstate.Running && p.controller.Repaint.NewNumbers && p.controller.Job.Estimated()
	}
	p.until("news", func() bool { return waits() && len(p.controller.Found) > 0 })
	kept := func() string {
		return fmt.Sprint(p.controller.Found, p.controller.curves.Points, p.controller.target.Paths, p.controller.paths)
	}
	before, first := kept(), printed(p.controller.Snapshot())
	if after, second := kept(), printed(p.controller.Snapshot()); after != before || second != first {
		t.Errorf("kept was\n%s\nand is\n%s; the snapshot was\n%s\nand is\n%s", before, after, first, second)
	}
}

// part is the markup of a part as the page stands now, painted or not.
func (p *fakePage) part(id string) string {
	p.controller.observe()
	return string(view.Parts(p.controller.Snapshot())[id])
}

// unchanged builds all that can be made from a snapshot twice.
func unchanged(t *testing.T, what string, s *state.Snapshot) {
	t.Helper()
	all := func() map[string]string {
		out := map[string]string{"chart": "", "picture": fmt.Sprint(view.CanvasMessages(s))}
		for id, part := range view.Parts(s) {
			out[id] = string(part)
		}
		if s.Model != nil {
			head, foot := view.Frame(s)
			out["chart"], out["frame"] = view.Chart(s), head+foot
		}
		return out
	}
	before := printed(s)
	first, second := all(), all()
	for id, part := range first {
		if part != second[id] {
			t.Errorf("%s: %s is built as\n%s\nand then as\n%s", what, id, part, second[id])
		}
	}
	if after := printed(s); after != before {
		t.Errorf("%s: the snapshot was\n%s\nand is now\n%s", what, before, after)
	}
}

// printed is all that a snapshot leads to, but for the model and the language, which never change.
func printed(s *state.Snapshot) string {
	var b strings.Builder
	seen := map[uintptr]bool{}
	var write func(v reflect.Value)
	write = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || v.Type() == reflect.TypeFor[*words.Language]() || seen[v.Pointer()] {
				fmt.Fprint(&b, v.IsNil())
				return
			}
			seen[v.Pointer()] = true
			write(v.Elem())
		case reflect.Interface:
			if !v.IsNil() && v.Type() != reflect.TypeFor[models.Model]() && v.Type() != reflect.TypeFor[models.File]() {
				write(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				fmt.Fprint(&b, " ", v.Type().Field(i).Name, ":")
				write(v.Field(i))
			}
		case reflect.Map:
			keys := v.MapKeys()
			slices.SortFunc(keys, func(x, y reflect.Value) int { return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
			for _, key := range keys {
				fmt.Fprint(&b, " ", key, "=")
				write(v.MapIndex(key))
			}
		case reflect.Slice, reflect.Array:
			fmt.Fprint(&b, "[")
			for i := range v.Len() {
				write(v.Index(i))
				fmt.Fprint(&b, ",")
			}
			fmt.Fprint(&b, "]")
		case reflect.Func, reflect.Chan:
		default:
			fmt.Fprintf(&b, "%v", v)
		}
	}
	write(reflect.ValueOf(s))
	return b.String()
}
