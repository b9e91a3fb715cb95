package panel

import (
	"context"
	"encoding/json"
	"time"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// openRoom opens a room for the experiment. An own model goes there only if giving says so; else each device needs it.
func (r *Rooms) openRoom(giving bool) {
	x := r.facts.Experiment()
	if x.Spec == nil || r.Address.Bad || r.InRoom() || !r.Browser.Rooms {
		return
	}
	if x.NeedsOwnFile() || x.NeedsDataRows() {
		r.Queue(effect.Run{}) // which says so
		return
	}

	// The page becomes a host.
	r.Panels.Sheet = ""
	r.Phase, r.giving = state.RoomEntering, giving && x.UsesOwnFile()
	r.Queue(effect.Stop{}, effect.Load{})
	ctx := r.beginStay()
	t := r.transport(ctx)

	// The room opens, and waits for its class.
	go func() {
		o, err := room.Open(ctx, t)
		r.soon(ctx, func() {
			if err != nil {
				r.endRoom(state.RoomRefused, err)
				return
			}
			r.Code, r.token, r.Hosting, r.Device = o.Code, o.Token, true, r.deviceID(o.Code)
			r.Remote, r.pressed = room.Remote(room.Sum([]byte(o.Token))), make([]float64, room.MaxAnswers)
			r.Phase = state.RoomLobby
			r.Queue(effect.Idle{})
			r.keepRoom()
			r.Repaint.AtOnce()
			go r.watchAsHost(ctx, r.owner(ctx))
		})
	}()
}

// gifts are the files of an own model that the host gives to the devices.
func (r *Rooms) gifts() map[string][]byte {
	files := map[string][]byte{}
	if r.giving && r.facts.Experiment().UsesOwnFile() {
		for _, f := range r.facts.ModelFiles() {
			files[f.Name] = f.Data
		}
	}
	return files
}

// Start has the devices compute the experiment, in replicates.
func (r *Rooms) Start() {
	free := r.Phase == state.RoomLobby || r.Phase == state.RoomDone ||
		r.Phase == state.RoomStarting && !r.facts.State().Busy() // a start that failed
	x := r.facts.Experiment()
	asks := r.Settings.Deck != "" && !r.Snapshots.Outline().Lecture.Revealed // a question, which hides the experiment
	if !r.Hosting || !free || x.Spec == nil || r.Address.Bad || asks {
		return
	}
	if x.NeedsOwnFile() || x.NeedsDataRows() {
		r.Queue(effect.Run{}) // which says so
		return
	}
	s := x.Spec
	if s.Replicates < 2 {
		s = state.WithReplicates(s, r.Replicates(s))
	}
	r.Phase, r.Run = state.RoomStarting, room.Run{Link: s.Link()}
	r.Queue(effect.RunSpec{Spec: s})
}

// Resumes reports whether the next run is the one that the page computed before it was loaded again.
func (r *Rooms) Resumes() bool { return r.Hosting && r.Phase == state.RoomStarting && r.Run.ID > 0 }

// FitRun has a run go through the room only if it is the one that was started there, and answers with the experiment to
// be run. Where a page is loaded again at a step of a lecture, the step's experiment becomes that of the run.
func (r *Rooms) FitRun() *spec.Spec {
	x := r.facts.Experiment()
	if !r.Hosting || r.Phase != state.RoomStarting || x.Spec == nil || r.Run.Link == x.Spec.Link() {
		return x.Spec
	}
	if s, err := spec.ParseLink(r.Run.Link, x.Names()); err == nil && r.Settings.Deck != "" &&
		state.WithReplicates(x.Spec, s.Replicates).Link() == s.Link() {
		return s
	}
	r.finishRun()
	r.Phase = state.RoomLobby
	return x.Spec
}

// StopRun ends what the page does for a run. One that a host leaves before its end is over for all.
func (r *Rooms) StopRun() {
	if r.endWork(); !r.Hosting {
		return
	}
	if r.Phase == state.RoomWorking {
		r.finishRun()
	}
	if r.Phase == state.RoomWorking || r.Phase == state.RoomDone {
		r.Phase = state.RoomLobby
	}
}

// finishRun tells the server that the run is over.
func (r *Rooms) finishRun() {
	if id := r.Run.ID; id > 0 {
		o := room.NewOwner(r.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Finish(context.Background(), id) }()
	}
	r.LookAtOnce()
}

// keepRoom has the page go on as host when it is loaded again.
func (r *Rooms) keepRoom() {
	now := keptRoom{Code: r.Code, Token: r.token, Place: r.place(), Idle: r.Idle, Giving: r.giving}
	if r.Computing() {
		now.Run, now.Link = r.Run.ID, r.Run.Link
	}
	if now == r.kept {
		return
	}
	r.kept = now
	text, _ := json.Marshal(r.kept)
	r.Host.Keep(string(text))
}

// BeginRun begins the page's part in a run, whose job was made and may be assigned.
func (r *Rooms) BeginRun() {
	ctx := r.beginWork()
	r.facts.Job().Gather()
	r.Counts, r.Course, r.Lost = room.Counts{}, nil, false
	r.Workers.SetPace(0, 0) // slow motion would hold up the class
	r.Repaint.AtOnce()
	switch {
	case !r.Hosting:
		r.Phase = state.RoomWorking
		r.takePartInRun(ctx)
	case r.Run.ID > 0:
		r.gatherRun(ctx)
	default:
		r.startRun(ctx)
	}
}

// startRun tells the server of the run of a host, and begins to gather it.
func (r *Rooms) startRun(ctx context.Context) {
	o, s, files := r.owner(ctx), r.facts.Spec(), r.gifts()
	go func() {
		run, err := o.Start(ctx, s.Link(), s.Replicates, files)
		r.soon(ctx, func() {
			if err != nil {
				r.failRun(err)
				return
			}
			r.Run = run
			r.gatherRun(ctx)
		})
	}()
}

// gatherRun gathers the run of a host, and takes part in it.
func (r *Rooms) gatherRun(ctx context.Context) {
	r.Run.Replicates = r.facts.Spec().Replicates
	r.Phase, r.Board, r.CardClosed = state.RoomWorking, state.Board{}, false
	r.keepRoom()
	r.LookAtOnce()
	r.Repaint.AtOnce()
	h := &room.Host{Owner: r.owner(ctx), Run: r.Run, Device: r.Device, Compute: r.computeReplicate, Verify: room.Verify}
	h.Fold = func(index int, outcome []byte, right bool) error {
		return r.changeJob(ctx, func() error { return report.Restore(r.facts.Job(), index, outcome, right) })
	}
	h.Refold = func() error { return r.changeJob(ctx, r.beginJobAnew) }
	h.Progress = func(c room.Counts) {
		r.soon(ctx, func() {
			r.Counts = c
			r.Repaint.NewNumbers = true
			r.noteCourse()
		})
	}
	go func() {
		for ctx.Err() == nil {
			err := h.Gather(ctx)
			switch c := h.Counts(); {
			case err == nil:
				r.soon(ctx, func() {
					r.Counts = c
					r.endRun()
				})
				return
			case refusal(err) > 0:
				r.soon(ctx, func() { r.failRun(err) })
				return
			}
			r.soon(ctx, func() {
				if !r.Lost { // else the panel says so
					r.showWarning(err)
				}
			})
			_ = room.Sleep(ctx, tryAgain)
		}
	}()
	r.lendComputer()
}

// lendComputer has the host's own computer take part in the run, if it is to.
func (r *Rooms) lendComputer() {
	ctx, idle := context.WithCancel(r.work)
	if r.idle = idle; r.Idle {
		idle()
		return
	}
	r.takePartInRun(ctx)
}

// Lends follows the switch that has the host's own computer compute.
func (r *Rooms) Lends(on bool) {
	if !r.Hosting || r.Idle == !on {
		return
	}
	r.Idle = !on
	r.keepRoom()
	if r.Phase == state.RoomWorking {
		r.idle()
		r.lendComputer()
	}
}

// changeJob has the controller do something with the job of a host, and waits for that.
func (r *Rooms) changeJob(ctx context.Context, do func() error) (err error) {
	r.with(func() {
		if err = ctx.Err(); err == nil {
			err = do()
			r.Repaint.NewNumbers = true
		}
	})
	return err
}

// beginJobAnew makes the job of a host anew.
func (r *Rooms) beginJobAnew() error {
	j, err := engine.NewJob(r.facts.Spec(), r.facts.Made(), r.facts.Options(&r.Workers))
	if err != nil {
		return err
	}
	j.Gather()
	if r.Replicate == nil { // else workers have units of that one alone
		r.Workers.Abort()
	}
	r.Queue(effect.ReplaceJob{Job: j})
	return nil
}

// endRun ends the run of a host whose outcomes are all in and verified. What its job lacks, as the exact value, follows.
func (r *Rooms) endRun() {
	r.Phase = state.RoomDone
	r.endWork()
	r.Queue(effect.Assign{}) // which sees that the run is over, or goes on
	r.noteCourse()
	r.Board = r.makeBoard()
	r.keepRoom()
	r.LookAtOnce()
	r.Repaint.AtOnce()
}

// endRunEarly ends a run before its end: what is known of it stays, without a hash.
func (r *Rooms) endRunEarly() {
	if r.Hosting && r.Phase == state.RoomWorking && r.facts.Job() != nil {
		r.finishRun()
		r.facts.Job().Stop()
		r.endRun()
	}
}

// failRun has a host wait in the lobby again when its run cannot go on, and says why.
func (r *Rooms) failRun(err error) {
	r.endWork()
	r.finishRun()
	r.Workers.Abort()
	r.Queue(effect.EndRun{})
	r.Phase = state.RoomLobby
	r.Problem = &state.Message{Level: "error", Text: r.Words.T("nothing.ran", r.Words.Sentence(err))}
	r.Repaint.AtOnce()
}

// Unconfirmed reports whether the hashes of a host's results must not be shown without a mark: more outcomes are
// awaited, or some that count may be wrong.
func (r *Rooms) Unconfirmed() bool {
	return r.Hosting && (r.Computing() || r.Phase == state.RoomDone && r.Counts.Marked())
}

// watchAsHost says to the devices how far the run is, and asks who is in the room.
func (r *Rooms) watchAsHost(ctx context.Context, o *room.Owner) {
	said, at, open := "", time.Time{}, 0
	for look := r.look; ctx.Err() == nil; {
		text := ""
		open, _ = r.takeVotes(ctx, o, open) // what went wrong is tried again
		r.with(func() {
			if ctx.Err() == nil {
				r.keepRoom()
				text = r.boardText()
			}
		})

		// The board goes out when changed, and from time to time.
		var err error
		if ctx.Err() == nil && (text != said || time.Since(at) > speakEvery) {
			if err = o.Say(ctx, text); err == nil {
				said, at = text, time.Now()
			}
		}

		// Who is in the room, unless the server has closed it.
		var devices []room.Device
		if err == nil {
			devices, err = o.Devices(ctx)
		}
		if room.IsOver(err) {
			r.soon(ctx, func() { r.endRoom(state.RoomClosed, nil) })
			return
		}
		if refusal(err) > 0 {
			r.soon(ctx, func() { r.endRoom(state.RoomRefused, err) })
			return
		}
		if err == nil {
			r.soon(ctx, func() { r.Devices, r.Repaint.NewNumbers = devices, true })
		}
		r.listenToRemote(ctx, o, look, askEvery(hostEvery, len(devices)))
	}
}
