package sharing_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/pagetest"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/sharing"
	"logzlab/wasm/page/state"
)

const small = "v=1&model=mixture2&method=is&is.particles=10"

// at is the part at an experiment, with a way to send it events.
func at(t *testing.T) (*sharing.Sharing, *pagetest.Lab, func(e state.Event)) {
	l := pagetest.New(t, 1)
	l.Choose(small)
	x := sharing.New(&l.Context, l.Facts())
	events := x.Events()
	return &x, l, func(e state.Event) { events[e.Name](e) }
}

// The check boxes of the share sheet change the shared link. The check box of the room panel is passed on to the room.
func TestBoxes(t *testing.T) {
	x, l, send := at(t)
	l.Context.Settings.Hide = []string{"run"}
	send(state.Event{Name: "share"})
	x.Begin()
	for _, e := range []state.Event{{Value: "setup"}, {Value: "run", On: true}, {Value: "tabs"}, {Value: "nonsense"},
		{Value: "receipt", On: true}, {Value: "fresh", On: true}, {Value: "lend", On: true}} {
		e.Name = "show"
		send(e)
	}
	want := []effect.Effect{effect.ShowSheet{Name: "share"}, effect.LendComputer{On: true}}
	if got := l.Effects(); !reflect.DeepEqual(got, want) || !slices.Equal(x.Hides, []string{"setup", "tabs"}) ||
		!x.ExpectsHashes || !x.Fresh {
		t.Errorf("asked for %v; the sheet has %+v", got, x.Sharing)
	}
}

// Texts go to the clipboard; what was copied is news for some seconds, and a text that could not be copied stays.
func TestCopied(t *testing.T) {
	x, l, send := at(t)
	for what, want := range map[string]string{"link": "https://lab.example/#" + small, "embed": "<iframe", "short": "",
		"command": "logz run -model mixture2"} {
		if send(state.Event{Name: "copy", Value: what}); !strings.HasPrefix(l.Host.Copied, want) {
			t.Errorf("%s: %s", what, l.Host.Copied)
		}
	}
	send(state.Event{Name: "copied"})
	if x.Expire(l.Host.Clock+1) || x.Copied == "" || !x.Expire(l.Host.Clock+4) || x.Copied != "" {
		t.Errorf("news: %q", x.Copied)
	}
	l.Context.Panels.Sheet = "share"
	send(state.Event{Name: "not-copied", Value: "text"})
	if !strings.Contains(x.Copied, "text") || x.Expire(l.Host.Clock+1e6) {
		t.Errorf("to copy by hand: %q", x.Copied)
	}
	l.Context.Panels.Sheet = ""
	send(state.Event{Name: "not-copied", Value: "text"})
	if l.Context.Problem == nil || !strings.Contains(l.Context.Problem.Text, "text") {
		t.Errorf("without a sheet the page says %+v", l.Context.Problem)
	}
}

// An embedding page receives one message when a run has begun and one with its result. A page that is not embedded
// sends none.
func TestParent(t *testing.T) {
	for _, embed := range []bool{false, true} {
		x, l, _ := at(t)
		l.Context.Settings.Embed = embed
		x.TellParent(nil)
		l.Begin()
		x.TellParent(l.Run.Results())
		x.TellParent(l.Run.Results())
		for job := l.Run.Job; !job.Finished(); {
			k := job.Take()
			for range job.Lane(k) {
			}
			job.Done(k)
		}
		l.Run.Finish()
		x.TellParent(l.Run.Results())
		x.TellParent(l.Run.Results())
		var want []string
		if embed {
			want = []string{"ready", "result"}
		}
		if !slices.Equal(l.Host.ParentMessages, want) {
			t.Errorf("embedded %v: told %v", embed, l.Host.ParentMessages)
		}
	}
}

// A result code opens the share sheet. A damaged code is refused with a message.
func TestCode(t *testing.T) {
	x, l, send := at(t)
	send(state.Event{Name: "result", Value: state.ResultPrefix + "nonsense"})
	if got := l.Effects(); !reflect.DeepEqual(got, []effect.Effect{effect.ShowSheet{Name: "share"}}) || x.Codes.Status == "" {
		t.Errorf("asked for %v, says %q", got, x.Codes.Status)
	}
	l.Context.Panels.Sheet = "share"
	if x.TakeCode(" "); l.Effects() != nil {
		t.Error("the sheet that is open is opened")
	}
}
