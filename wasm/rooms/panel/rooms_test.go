package panel

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/internal/pagetest"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

const small = "v=1&model=mixture2&method=ais&ais.chains=4&ais.temperatures=3"

// at returns the panel, idle and outside of rooms, with a function that sends it events. The server never responds.
func at(t *testing.T, link string) (*Rooms, *pagetest.Lab, func(name, value string)) {
	l := pagetest.New(t, 2)
	if link != "" {
		l.Choose(link)
	}
	r := New(&l.Context, l.Facts())
	t.Cleanup(r.End)
	events := r.Events()
	return &r, l, func(name, value string) { events[name](state.Event{Name: name, Value: value}) }
}

// hosts makes the page a host in its lobby.
func hosts(r *Rooms) {
	r.Code, r.token, r.Hosting, r.Phase = "ABCDEFGH", "secret", true, state.RoomLobby
	r.beginStay()
}

// asks compares the queued effects.
func asks(t *testing.T, what string, l *pagetest.Lab, want ...effect.Effect) {
	t.Helper()
	if got := l.Effects(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: asked for %+v, want %+v", what, got, want)
	}
}

// A page that cannot enter shows the reason and sends no request to the server; the run that was about to begin ends.
func TestEnter(t *testing.T) {
	for _, x := range []struct {
		name, code string
		rooms      bool
		phase      state.RoomPhase
	}{{"a static site", "ABCDEFGH", false, state.RoomRefused}, {"no code", "A", true, state.RoomRefused},
		{"a room", "ABCDEFGH", true, state.RoomEntering}} {
		r, l, _ := at(t, small)
		l.Context.Browser.Rooms = x.rooms
		l.Run.Load()
		r.Enter(x.code, "remote", state.Settings{Lang: "en", Fresh: true, Expect: []string{"0123456789abcdef"}})
		if r.Phase != x.phase || (r.Reason == nil) != (x.phase == state.RoomEntering) || r.Remote != "remote" ||
			r.Device == "" || l.Context.Settings.Fresh || l.Context.Settings.Expect != nil {
			t.Errorf("%s: phase %v, why %v, settings %+v", x.name, r.Phase, r.Reason, l.Context.Settings)
		}
		if x.phase == state.RoomRefused {
			asks(t, x.name, l, effect.EndRun{})
		} else {
			asks(t, x.name, l)
		}
	}

	// By a code that is typed, or pasted as a complete link.
	r, l, send := at(t, small)
	for _, text := range []string{" ab cdefgh", "https://lab.example/#room=abcdefgh"} {
		send("join", text)
		asks(t, text, l, effect.OpenLink{Link: "room=ABCDEFGH"})
	}
	if send("join", " "); r.InRoom() {
		t.Error("it is in a room without a code")
	}
	asks(t, "no code", l)
}

// A room opens for an existing experiment; without its file the page shows an error.
func TestOpenRoom(t *testing.T) {
	r, l, send := at(t, "")
	send("open-room", "")
	asks(t, "without an experiment", l)
	l.Choose("v=1&model=file:0123456789ab&method=ais")
	send("open-room", "")
	if asks(t, "without its file", l, effect.Run{}); r.InRoom() {
		t.Error("a room is open")
	}
	l.Choose(small)
	send("open-room", "")
	if asks(t, "open", l, effect.Stop{}, effect.Load{}); r.Phase != state.RoomEntering {
		t.Errorf("phase %v", r.Phase)
	}
	send("open-room", "")
	asks(t, "twice", l)
}

// A host starts the experiment as replicates, if it is free and no question of a lecture hides the experiment.
func TestStart(t *testing.T) {
	r, l, send := at(t, small)
	send("start-room", "")
	asks(t, "without a room", l)
	hosts(r)
	l.Context.Settings.Deck = "sum"
	send("start-room", "")
	asks(t, "behind a question", l)
	l.Others.Lecture.Revealed = true
	r.Devices = []room.Device{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	send("start-room", "")
	want := state.WithReplicates(l.Loader.Spec, 10)
	if asks(t, "start", l, effect.RunSpec{Spec: want}); r.Phase != state.RoomStarting || r.Run.Link != want.Link() {
		t.Errorf("phase %v, run %s", r.Phase, r.Run.Link)
	}

	// The run is the run of the room; any other run is not, and ends it.
	l.Loader.Spec = want
	if s := r.FitRun(); s != want || r.Phase != state.RoomStarting {
		t.Errorf("runs %s in phase %v", s.Link(), r.Phase)
	}
	l.Run.Load()
	send("start-room", "")
	asks(t, "while it starts", l)
	other := l.Choose(small + "&seed=2")
	if s := r.FitRun(); s != other || r.Phase != state.RoomLobby {
		t.Errorf("runs %s in phase %v", s.Link(), r.Phase)
	}

	// A page that is reloaded at a step of a lecture uses the experiment of the run.
	l.Choose(small)
	r.Phase, r.Run = state.RoomStarting, room.Run{ID: 3, Link: want.Link()}
	if s := r.FitRun(); !r.Resumes() || s.Link() != want.Link() {
		t.Errorf("resumes %v with %s", r.Resumes(), s.Link())
	}
}

// A page that leaves keeps the results of a room that is over, or of a lecture; otherwise its run ends, as it does if a
// hash would lose its mark.
func TestLeave(t *testing.T) {
	marked := room.Counts{Excluded: 1, Unconfirmed: 1}
	for _, x := range []struct {
		name   string
		phase  state.RoomPhase
		counts room.Counts
		deck   string
		want   []effect.Effect
		leaves bool // to another entry of the history
	}{
		{"a run that is over", state.RoomDone, room.Counts{}, "", nil, false},
		{"one that is not", state.RoomWorking, room.Counts{}, "", []effect.Effect{effect.Stop{}}, true},
		{"the lobby", state.RoomLobby, room.Counts{}, "", []effect.Effect{effect.Stop{}}, true},
		{"a marked result", state.RoomDone, marked, "", []effect.Effect{effect.Stop{}}, true},
		{"a lecture", state.RoomLobby, room.Counts{}, "sum", nil, false},
		{"a marked result in a lecture", state.RoomDone, marked, "sum", []effect.Effect{effect.Stop{}}, false},
	} {
		r, l, send := at(t, small)
		hosts(r)
		r.Phase, r.Counts, l.Context.Settings.Deck, l.Host.StoredText = x.phase, x.counts, x.deck, "room"
		l.Context.Address.HasRun = true
		send("leave-room", "")
		if asks(t, x.name, l, x.want...); r.InRoom() || r.Hosting || l.Host.StoredText != "" || l.Context.Address.HasRun == x.leaves {
			t.Errorf("%s: on %v, host %v, keeps %q, entry %+v", x.name, r.InRoom(), r.Hosting, l.Host.StoredText, l.Context.Address)
		}
	}
}

// A reloaded host returns to its saved place, in the lobby or in its run.
func TestStay(t *testing.T) {
	for _, x := range []struct {
		kept, link string
		on, lobby  bool
	}{
		{`{"code":"ABCDEFGH","token":"s","place":"` + small + `"}`, small, true, true},
		{`{"code":"ABCDEFGH","token":"s","place":"` + small + `","run":2,"link":"` + small + `"}`, small, true, false},
		{`{"code":"ABCDEFGH","token":"s","place":"` + small + `"}`, small + "&seed=2", false, false},
		{`{"code":"x"}`, small, false, false},
		{"", small, false, false},
	} {
		r, _, _ := at(t, x.link)
		r.Remember(x.kept)
		if lobby := r.Stay(); lobby != x.lobby || r.InRoom() != x.on || r.Hosting != x.on || x.on && r.Resumes() == lobby {
			t.Errorf("kept %s at %s: lobby %v, on %v, resumes %v", x.kept, x.link, lobby, r.InRoom(), r.Resumes())
		}
	}

	// A device stays only with the experiment of its run.
	r, l, _ := at(t, small)
	r.Code, r.Phase, r.Run = "ABCDEFGH", state.RoomWorking, room.Run{ID: 1, Link: l.Loader.Spec.Link()}
	if r.Stay(); !r.IsDevice() {
		t.Error("a device leaves though the link is that of its run")
	}
	l.Choose(small + "&seed=2")
	if r.Stay(); r.IsDevice() {
		t.Error("a device stays at another link")
	}
}

// A device gets the state of its room: a run, which it opens, another build, an end.
func TestDevice(t *testing.T) {
	r, l, _ := at(t, small)
	r.Code, r.Phase = "ABCDEFGH", state.RoomLobby
	r.beginStay()
	run := room.Run{ID: 1, Link: small + "&replicates=8", Build: room.Build}
	r.openRun(run, nil)
	want := state.WithReplicates(l.Loader.Spec, 8)
	if asks(t, "a run", l, effect.ClearComparisons{}, effect.RunSpec{Spec: want}); r.Phase != state.RoomStarting || r.Run.ID != 1 {
		t.Errorf("phase %v, run %+v", r.Phase, r.Run)
	}
	l.Loader.Spec = want
	l.Begin()
	if r.BeginRun(); r.Phase != state.RoomWorking || r.MayAssign() {
		t.Errorf("phase %v, may assign %v: the job of a device only names the experiment", r.Phase, r.MayAssign())
	}

	// The end of the run, then of the room: the last text of the host is drawn before the run is removed.
	r.takeInfo(room.Info{Board: `{"run":1,"z":2,"hash":["a"]}`, Run: &room.Run{ID: 1, Over: true}}, nil)
	if asks(t, "its end", l, effect.DrawCurves{}, effect.EndRun{}); r.Phase != state.RoomDone || *r.Board.LogZ != 2 {
		t.Errorf("phase %v, board %+v", r.Phase, r.Board)
	}
	r.takeInfo(room.Info{Closed: true}, nil)
	if asks(t, "closed", l, effect.DrawCurves{}, effect.EndRun{}); r.Phase != state.RoomClosed {
		t.Errorf("phase %v", r.Phase)
	}

	// Another build.
	r, l, _ = at(t, small)
	r.Code, r.Phase = "ABCDEFGH", state.RoomLobby
	r.beginStay()
	run.Build = "another"
	if r.openRun(run, nil); r.Phase != state.RoomRefused || r.Reason == nil {
		t.Errorf("with another build it is in phase %v: %v", r.Phase, r.Reason)
	}
	asks(t, "another build", l)
}

// Replicates are computed by the lane workers one after the other. A replicate that no goroutine waits for is removed;
// one that is cancelled gets an error.
func TestReplicates(t *testing.T) {
	r, l, _ := at(t, small+"&replicates=8")
	hosts(r)
	r.Phase = state.RoomWorking
	l.Begin()
	ctx, leave := context.WithCancel(context.Background())
	results := make(chan computed, 2)
	for i, of := range []context.Context{ctx, context.Background()} {
		r.queue = append(r.queue, &replicate{ctx: of, index: i + 1, done: results})
	}
	if r.MayAssign() != l.Run.Job.Preparing() {
		t.Error("the host's own units do not wait for replicates")
	}
	for range 100 {
		if r.AdvanceReplicates(); r.Replicate != nil {
			break
		}
		k := l.Run.Job.Take() // the base of the model first
		for range l.Run.Job.Lane(k) {
		}
		l.Run.Job.Done(k)
	}
	first := r.Replicate
	if first == nil || !r.MayAssign() {
		t.Fatal("no replicate is at work")
	}
	leave()
	if r.AdvanceReplicates(); r.Replicate == nil || r.Replicate == first || len(r.queue) != 1 {
		t.Fatalf("a replicate that nobody waits for stays; %d wait", len(r.queue))
	}
	r.GiveUp()
	select {
	case x := <-results:
		if x.err == nil || r.Replicate != nil {
			t.Errorf("given up: %v, at work %v", x.err, r.Replicate != nil)
		}
	default:
		t.Error("nobody hears that it was given up")
	}

	// Without a replicate, the host's run ends.
	r.GiveUp()
	if asks(t, "given up", l, effect.EndRun{}); r.Phase != state.RoomLobby || l.Context.Problem == nil {
		t.Errorf("phase %v, message %+v", r.Phase, l.Context.Problem)
	}
}

// A host's run that is over, or was ended early: the remaining work of its job follows.
func TestEnds(t *testing.T) {
	r, l, send := at(t, small+"&replicates=8")
	hosts(r)
	r.Phase = state.RoomWorking
	l.Begin()
	r.beginWork()
	if send("close-room", ""); l.Context.Problem == nil || r.Phase != state.RoomWorking {
		t.Fatalf("it closes without a question, in phase %v", r.Phase)
	}
	send("close-room", l.Context.Problem.Action.Value)
	if asks(t, "closed early", l, effect.Assign{}); r.Phase != state.RoomDone || !l.Run.Job.Stopped() || !r.Board.Early ||
		l.Context.Problem != nil {
		t.Errorf("phase %v, stopped %v, board %+v", r.Phase, l.Run.Job.Stopped(), r.Board)
	}
	if l.Run.State() != runstate.Running {
		t.Errorf("rooms made the run %s", l.Run.State())
	}
}

// A question of a lecture is opened once: when it is shown again after its answer, it stays closed. Devices get counts
// only then.
func TestQuestions(t *testing.T) {
	r, l, _ := at(t, small)
	step := deck.Step{Ask: "How many?", Answers: []deck.Answer{{Text: "One"}, {Text: "Two", Right: true}}}
	if r.AskStep(3, step, false); r.OnShow() != nil {
		t.Error("without a room a question is asked")
	}
	hosts(r)
	l.Context.Settings.Deck = "sum"
	r.AskStep(3, step, false)
	q := r.OnShow()
	if q == nil || !q.Open || q.Right != 1 || !slices.Equal(q.Answers, []string{"One", "Two"}) || r.question() != nil {
		t.Fatalf("asked %+v, phones see %+v", q, r.question())
	}
	r.shownPoll.isOpened, r.shownPoll.Counts = true, []float64{1, 2} // the server has it
	if q := r.question(); q == nil || q.Counts != nil || q.Right != -1 {
		t.Errorf("phones see %+v of an open question", q)
	}
	r.AskStep(3, step, true)
	if q := r.question(); q == nil || q.Open || q.Right != 1 || len(q.Counts) != 2 {
		t.Errorf("phones see %+v of its answer", q)
	}
	r.AskStep(4, deck.Step{}, true)
	if r.AskStep(3, step, false); r.OnShow() == nil || r.OnShow().Open {
		t.Errorf("shown again it is %+v", r.OnShow())
	}
	if !slices.Equal(l.Effects(), nil) {
		t.Error("questions ask for something")
	}
}

// The remote control turns as many steps as it was pressed since the last counts; presses before that do not count.
func TestRemote(t *testing.T) {
	r, l, _ := at(t, small)
	r.turnSteps([]float64{1, 2})
	asks(t, "before", l)
	r.turnSteps([]float64{2, 4})
	next, back := effect.TurnStep{Target: "next"}, effect.TurnStep{Target: "back"}
	asks(t, "pressed", l, next, next, back)
	r.turnSteps([]float64{2, 4})
	asks(t, "not pressed", l)
}

// Downloaded files are read one after the other.
func TestUnpack(t *testing.T) {
	r, l, _ := at(t, small)
	for _, name := range []string{"model", "rows"} {
		r.files = append(r.files, state.File{Name: name})
	}
	r.Unpack()
	asks(t, "the first", l, effect.TakeFile{File: state.File{Name: "model"}})
	r.Unpack()
	r.Unpack()
	asks(t, "the second", l, effect.TakeFile{File: state.File{Name: "rows"}})
}

// Errors of the server are shown at once, also while requests are repeated.
func TestLost(t *testing.T) {
	r, l, _ := at(t, small)
	ctx := r.beginStay()
	tr := r.transport(ctx).(*watchedTransport)
	tr.Transport = failing{}
	_, _ = tr.Send(ctx, room.Request{})
	if l.RunQueued(); !r.Disconnected {
		t.Error("a lost server is not noticed")
	}
	tr.Transport = busy{}
	_, _ = tr.Send(ctx, room.Request{})
	if l.RunQueued(); r.Disconnected || l.Context.Problem == nil {
		t.Errorf("lost %v, the page says %+v", r.Disconnected, l.Context.Problem)
	}
	l.Context.Problem = nil
	r.End() // the page has left
	tr.Transport = failing{}
	_, _ = tr.Send(context.Background(), room.Request{})
	if l.RunQueued(); r.Disconnected {
		t.Error("a room that was left still speaks")
	}
}

// failing is a server that cannot be reached, busy one with too many requests.
type (
	failing struct{}
	busy    struct{}
)

func (failing) Send(context.Context, room.Request) (room.Response, error) {
	return room.Response{}, errors.New("no network")
}

func (busy) Send(context.Context, room.Request) (room.Response, error) {
	body, err := json.Marshal(room.NewFailure(problem.New("too much to do")))
	return room.Response{Status: 503, JSON: true, Body: body}, err
}
