package lecture_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/runstate"
	"logzlab/internal/pagetest"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/state"
)

const (
	first  = "v=1&model=mixture2&method=ais&ais.chains=4&ais.temperatures=3"
	second = "v=1&model=mixture2&method=is&is.particles=10"

	// deckText has a step without a question, one with, and one for the class.
	deckText = "# Three\n\nlink: #" + first + "\nsay: One.\n\n" +
		"link: #" + second + "\nask: How many?\n- One\n- * Two\nsay: Two.\n\n" +
		"link: #" + second + "\nsay: Three.\ncontrol: class\n"
)

// at is the part, with a way to send it events.
func at(t *testing.T) (*lecture.Lecture, *pagetest.Lab, func(name, value string)) {
	l := pagetest.New(t, 1)
	x := lecture.New(&l.Context, l.Facts())
	events := x.Events()
	return &x, l, func(name, value string) { events[name](state.Event{Name: name, Value: value}) }
}

// kinds are the names of effects.
func kinds(all []effect.Effect) (names string) {
	for _, e := range all {
		names += " " + strings.TrimPrefix(fmt.Sprintf("%T", e), "effect.")
	}
	return strings.TrimSpace(names)
}

// opened is a lecture at a step of a deck of the site.
func opened(t *testing.T, text string, step int) (*lecture.Lecture, *pagetest.Lab, func(name, value string)) {
	t.Helper()
	x, l, send := at(t)
	l.Run.Load()
	l.Context.Settings = state.Settings{Deck: "three", Step: step}
	x.Open(nil)
	if !l.Host.Answer("decks/three.txt", []byte(text), nil) {
		t.Fatal("the deck is not fetched")
	}
	return x, l, send
}

// show does what a lecture asks for about its experiment.
func show(l *pagetest.Lab, all []effect.Effect) {
	for _, e := range all {
		switch e := e.(type) {
		case effect.NextSpec:
			l.Run.End()
			l.Loader.Spec = e.Spec
			l.Run.Load()
		case effect.ShowSpec:
			l.Loader.Spec = e.Spec
			l.Run.Idle()
		}
	}
}

// Steps turn; a question comes before its experiment, and one that is on show goes on. The experiment of a step starts
// after a while.
func TestTurn(t *testing.T) {
	x, l, send := opened(t, deckText, 1)
	asked := l.Effects()
	if kinds(asked) != "NextSpec AskQuestion SendPace" || x.Due <= l.Host.Clock || !x.Revealed || l.Context.Settings.Step != 1 {
		t.Fatalf("opened at step %d, due %v: %s", l.Context.Settings.Step, x.Due, kinds(asked))
	}
	show(l, asked)
	if l.Loader.Spec.Link() != first {
		t.Errorf("the experiment is %s", l.Loader.Spec.Link())
	}
	x.Tick(l.Host.Clock)
	if l.Effects() != nil {
		t.Error("it runs at once")
	}
	x.Tick(l.Host.Clock + 1)
	if got := kinds(l.Effects()); got != "Run" || x.Due != 0 {
		t.Errorf("then: %s", got)
	}

	// The question keeps what is on show; its answer brings the experiment.
	send("turn", "next")
	asked = l.Effects()
	if a, ok := asked[0].(effect.AskQuestion); kinds(asked) != "AskQuestion SendPace" || !ok || a.Number != 2 || a.Revealed || x.Revealed {
		t.Errorf("the question: %+v", asked)
	}
	send("turn", "next")
	asked = l.Effects()
	if kinds(asked) != "NextSpec AskQuestion SendPace" || l.Context.Settings.Step != 2 || !x.Revealed {
		t.Errorf("the answer at step %d: %s", l.Context.Settings.Step, kinds(asked))
	}
	show(l, asked)

	// The same experiment goes on, whatever it is at but a failure. With the class it runs there.
	send("turn", "next")
	if got := kinds(l.Effects()); got != "AskQuestion SendPace" || l.Context.Settings.Step != 3 {
		t.Errorf("step %d: %s", l.Context.Settings.Step, got)
	}
	l.Run.Fail()
	send("turn", "back")
	l.Effects()
	send("turn", "next")
	if show(l, l.Effects()); l.Run.State() != runstate.Loading {
		t.Errorf("after a failure it is %s", l.Run.State())
	}
	x.Tick(l.Host.Clock + 1)
	if got := kinds(l.Effects()); got != "RunInClass" {
		t.Errorf("with the class: %s", got)
	}

	// The last step, which the file does not have, shows the address.
	send("turn", "next")
	if got := kinds(l.Effects()); got != "AskQuestion SendPace" || x.Deck.Steps[3].Address != "https://lab.example/#view.deck=three" {
		t.Errorf("the last step: %s, %+v", got, x.Deck.Steps[3])
	}
	send("turn", "next") // there is none
	if got := l.Effects(); got != nil {
		t.Errorf("after the last step: %s", kinds(got))
	}

	// A black screen hides the step, and the next key shows it again.
	send("turn", "blank")
	if send("turn", "back"); x.Blank || l.Context.Settings.Step != 4 {
		t.Errorf("after a black screen: black %v, step %d", x.Blank, l.Context.Settings.Step)
	}
	send("turn", "back")
	if send("turn", "back"); l.Context.Settings.Step != 2 || !x.Revealed {
		t.Errorf("back at step %d, revealed %v", l.Context.Settings.Step, x.Revealed)
	}
}

// A room may have the experiment of a step in replicates: it is the same. A deck that is opened at a question shows its
// experiment, which waits.
func TestOnShow(t *testing.T) {
	x, l, _ := opened(t, deckText, 2)
	asked := l.Effects()
	if show(l, asked); kinds(asked) != "ShowSpec AskQuestion SendPace" || l.Run.State() != runstate.Idle || x.Due != 0 {
		t.Errorf("opened at a question: %s", kinds(asked))
	}
	x.Turn("next")
	show(l, l.Effects())
	l.Others.Room.Hosting = true
	l.Loader.Spec = state.WithReplicates(l.Loader.Spec, 8)
	if x.Turn("next"); kinds(l.Effects()) != "AskQuestion SendPace" {
		t.Error("a host's replicates begin again")
	}
	l.Others.Room.Hosting = false
	if x.Turn("back"); kinds(l.Effects()) != "NextSpec AskQuestion SendPace" {
		t.Error("replicates of another experiment go on")
	}
}

// What cannot be shown says why: a deck that does not come, one with mistakes, and settings that were left out of its
// link, which are said after all else.
func TestFaults(t *testing.T) {
	x, l, _ := at(t)
	l.Context.Settings = state.Settings{Deck: "three", Lang: "de"}
	x.Open(nil)
	l.Host.Answer("decks/three.de.txt", nil, errors.New("404"))
	l.Host.Answer("decks/three.txt", nil, errors.New("404"))
	asked := l.Effects()
	if f, ok := asked[0].(effect.Fail); !ok || f.Action == nil || !strings.Contains(f.Err.Error(), "three") ||
		l.Context.Settings.Deck != "" {
		t.Errorf("a deck that does not come: %+v", asked)
	}
	x, l, _ = opened(t, strings.Replace(deckText, "say: One", "sya: One", 1), 1)
	if got := kinds(l.Effects()); got != "Fail" || len(x.Faults) == 0 || l.Context.Panels.Sheet != "lecture" || x.Deck != nil {
		t.Errorf("a deck with mistakes: %s, faults %v, sheet %q", got, x.Faults, l.Context.Panels.Sheet)
	}

	x, l, _ = at(t)
	l.Context.Settings = state.Settings{Deck: "three", Step: 9}
	x.Open(errors.New("view.step"))
	l.Host.Answer("decks/three.txt", []byte(deckText), nil)
	if got := kinds(l.Effects()); got != "NextSpec AskQuestion SendPace ShowMessage" && got != "AskQuestion SendPace ShowMessage" || l.Context.Settings.Step != 4 {
		t.Errorf("at step %d: %s", l.Context.Settings.Step, got)
	}

	// A link that was opened meanwhile.
	x, l, _ = at(t)
	l.Context.Settings = state.Settings{Deck: "three"}
	x.Open(nil)
	l.Run.End()
	if l.Host.Answer("decks/three.txt", []byte(deckText), nil); x.Deck != nil || l.Effects() != nil {
		t.Error("a deck that was left is shown")
	}
}

// A deck that the user drops is opened by its link; one with mistakes, or in a room that computes, leaves all as it is.
func TestTake(t *testing.T) {
	x, l, _ := at(t)
	l.Choose(first)
	l.Context.Settings = state.Settings{Theme: "dark", Scene: "trace"}
	f := state.File{Name: "mine.txt", Data: []byte(deckText), N: 3}
	l.Others.Room.Phase = state.RoomWorking
	if x.Take(f); l.Effects() != nil || l.Context.Problem == nil {
		t.Error("a room is left")
	}
	l.Others.Room.Phase, l.Context.Problem = 0, nil
	x.Take(state.File{Name: "mine.txt", Data: []byte(deckText + "\nsay: no link\n\nsya: x\n"), N: 2})
	if got := l.Effects(); got != nil || x.Own.Data != nil || len(x.Faults) == 0 {
		t.Errorf("with mistakes: %s, faults %v", kinds(got), x.Faults)
	}
	id := modelfile.ID(f.Data)
	want := []effect.Effect{effect.OpenLink{Link: "view.deck=" + id + "&view.step=1&view.theme=dark"}}
	if x.Take(f); !reflect.DeepEqual(l.Effects(), want) || x.Own.N != 3 {
		t.Errorf("it does not ask for %+v", want)
	}
	l.Context.Settings = state.Settings{Deck: id, Step: 1}
	if x.Open(nil); x.Deck == nil || len(l.Host.Fetches) > 0 || kinds(l.Effects()) != "NextSpec AskQuestion SendPace" {
		t.Error("the own deck is not at hand")
	}
}

// The lab goes on with the experiment of the step: with one that is due at once, and with its own where a deck has not
// come.
func TestLeave(t *testing.T) {
	x, l, send := opened(t, deckText, 1)
	show(l, l.Effects())
	if send("deck-end", ""); kinds(l.Effects()) != "Run" || x.Deck != nil || l.Context.Settings.Deck != "" {
		t.Errorf("left at %+v", l.Context.Settings)
	}
	x, l, _ = at(t)
	l.Context.Settings = state.Settings{Deck: "three", Lang: "en"}
	x.Open(nil)
	x.Leave()
	want := []effect.Effect{effect.OpenLink{Link: state.DefaultLink + "&view.lang=en"}}
	if got := l.Effects(); !reflect.DeepEqual(got, want) {
		t.Errorf("before the deck has come: %+v", got)
	}
}

// The clock of the notes begins when the first step is left, and goes on where the same deck is opened again.
func TestClock(t *testing.T) {
	x, l, send := opened(t, deckText, 1)
	x.Events()["notes"](state.Event{On: true})
	show(l, l.Effects())
	send("turn", "next")
	x.Tick(l.Host.Clock + 5)
	if x.ElapsedSeconds != 5 {
		t.Fatalf("%d s", x.ElapsedSeconds)
	}
	for _, c := range []struct {
		deck string
		want int
	}{{"three", 7}, {"four", 0}} {
		l.Context.Settings.Deck = c.deck
		x.Open(nil)
		x.Notes = true
		if x.Tick(l.Host.Clock + 7); x.ElapsedSeconds != c.want {
			t.Errorf("deck %s: %d s, want %d", c.deck, x.ElapsedSeconds, c.want)
		}
	}
}

// Judges of decks know what an experiment and its controls are.
func TestJudge(t *testing.T) {
	x, _, _ := at(t)
	j := x.Checker()
	for link, ok := range map[string]bool{first: true, first + "&view.lang=zz": false, "v=1": false} {
		if err := j.Link(link); (err == nil) != ok {
			t.Errorf("%s: %v", link, err)
		}
	}
	for control, ok := range map[string]bool{"temperatures": true, "seed": true, "class": true, "beta": true,
		"colour": false} {
		if err := j.Control(first, control); (err == nil) != ok {
			t.Errorf("%s: %v", control, err)
		}
	}
}
