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

// openRoom opens a room for the experiment. If sharesModel is true, the devices get the model file from the room;
// otherwise each device needs the file.
func (r *Rooms) openRoom(sharesModel bool) {
	x := r.facts.Experiment()
	if x.Spec == nil || r.Address.Rejected || r.InRoom() || !r.Browser.Rooms {
		return
	}
	if x.NeedsOwnFile() || x.NeedsDataRows() {
		r.Queue(effect.Run{}) // shows the error
		return
	}

	// The page becomes the host.
	r.Panels.Sheet = ""
	r.Phase, r.sharesModel = state.RoomEntering, sharesModel && x.UsesOwnFile()
	r.Queue(effect.Stop{}, effect.Load{})
	ctx := r.beginStay()
	t := r.transport(ctx)

	// Open the room and wait for devices.
	go func() {
		o, err := room.Open(ctx, t)
		r.schedule(ctx, func() {
			if err != nil {
				r.endRoom(state.RoomRefused, err)
				return
			}
			r.Code, r.token, r.Hosting, r.Device = o.Code, o.Token, true, r.deviceID(o.Code)
			r.Remote, r.remotePresses = room.Remote(room.Sum([]byte(o.Token))), make([]float64, room.MaxAnswers)
			r.Phase = state.RoomLobby
			r.Queue(effect.Idle{})
			r.saveRoom()
			r.Repaint.AtOnce()
			go r.watchAsHost(ctx, r.owner(ctx))
		})
	}()
}

// sharedFiles returns the model files that the devices get from the host.
func (r *Rooms) sharedFiles() map[string][]byte {
	files := map[string][]byte{}
	if r.sharesModel && r.facts.Experiment().UsesOwnFile() {
		for _, f := range r.facts.ModelFiles() {
			files[f.Name] = f.Data
		}
	}
	return files
}

// Start starts a run of the experiment in the room, as replicates.
func (r *Rooms) Start() {
	canStart := r.Phase == state.RoomLobby || r.Phase == state.RoomDone ||
		r.Phase == state.RoomStarting && !r.facts.State().Busy() // the last start has failed
	x := r.facts.Experiment()
	asksQuestion := r.Settings.Deck != "" && !r.Snapshots.Outline().Lecture.Revealed // the experiment is hidden by a question
	if !r.Hosting || !canStart || x.Spec == nil || r.Address.Rejected || asksQuestion {
		return
	}
	if x.NeedsOwnFile() || x.NeedsDataRows() {
		r.Queue(effect.Run{}) // shows the error
		return
	}
	s := x.Spec
	if s.Replicates < 2 {
		s = state.WithReplicates(s, r.Replicates(s))
	}
	r.Phase, r.Run = state.RoomStarting, room.Run{Link: s.Link()}
	r.Queue(effect.RunSpec{Spec: s})
}

// Resumes reports whether the next run continues the run of the page before it was reloaded.
func (r *Rooms) Resumes() bool { return r.Hosting && r.Phase == state.RoomStarting && r.Run.ID > 0 }

// FitRun returns the experiment that the page is to run. If the host begins a run that was not started in the room, it
// returns to the lobby. If the page was reloaded at a step of a lecture, FitRun returns the experiment of the room's
// run instead of the experiment of the step.
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

// StopRun stops the work of this page for a run. If the page is the host, the run ends for all devices.
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

// finishRun ends the run on the server.
func (r *Rooms) finishRun() {
	if id := r.Run.ID; id > 0 {
		o := room.NewOwner(r.Host.Rooms(), r.Code, r.token)
		go func() { _ = o.Finish(context.Background(), id) }()
	}
	r.LookAtOnce()
}

// saveRoom stores the state of the room in the browser, so that the page continues as its host after a reload.
func (r *Rooms) saveRoom() {
	current := savedRoom{Code: r.Code, Token: r.token, Place: r.place(), Idle: r.HostIdle, Giving: r.sharesModel}
	if r.Computing() {
		current.Run, current.Link = r.Run.ID, r.Run.Link
	}
	if current == r.saved {
		return
	}
	r.saved = current
	text, _ := json.Marshal(r.saved)
	r.Host.StoreText(string(text))
}

// BeginRun begins the work of this page for a run, after its job was created.
func (r *Rooms) BeginRun() {
	ctx := r.beginWork()
	r.facts.Job().Gather()
	r.Counts, r.Course, r.Disconnected = room.Counts{}, nil, false
	r.Workers.SetPace(0, 0) // slow motion would delay all devices
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

// startRun starts the run of a host on the server and begins to gather it.
func (r *Rooms) startRun(ctx context.Context) {
	o, s, files := r.owner(ctx), r.facts.Spec(), r.sharedFiles()
	go func() {
		run, err := o.Start(ctx, s.Link(), s.Replicates, files)
		r.schedule(ctx, func() {
			if err != nil {
				r.failRun(err)
				return
			}
			r.Run = run
			r.gatherRun(ctx)
		})
	}()
}

// gatherRun collects the results of the run from the server, as the host, and lets this computer compute replicates.
func (r *Rooms) gatherRun(ctx context.Context) {
	r.Run.Replicates = r.facts.Spec().Replicates
	r.Phase, r.Board, r.CardClosed = state.RoomWorking, state.Board{}, false
	r.saveRoom()
	r.LookAtOnce()
	r.Repaint.AtOnce()
	h := &room.Host{Owner: r.owner(ctx), Run: r.Run, Device: r.Device, Compute: r.computeReplicate, Verify: room.DefaultVerify}
	h.Fold = func(index int, outcome []byte, isCorrect bool) error {
		return r.changeJob(ctx, func() error { return report.Restore(r.facts.Job(), index, outcome, isCorrect) })
	}
	h.Reset = func() error { return r.changeJob(ctx, r.recreateJob) }
	h.Progress = func(c room.Counts) {
		r.schedule(ctx, func() {
			r.Counts = c
			r.Repaint.NewNumbers = true
			r.addCoursePoint()
		})
	}
	go func() {
		for ctx.Err() == nil {
			err := h.Gather(ctx)
			switch c := h.Counts(); {
			case err == nil:
				r.schedule(ctx, func() {
					r.Counts = c
					r.endRun()
				})
				return
			case refusalStatus(err) > 0:
				r.schedule(ctx, func() { r.failRun(err) })
				return
			}
			r.schedule(ctx, func() {
				if !r.Disconnected { // otherwise the panel already shows it
					r.showWarning(err)
				}
			})
			_ = room.Sleep(ctx, retryInterval)
		}
	}()
	r.lendComputer()
}

// lendComputer lets the host's computer compute replicates, unless the host has switched this off.
func (r *Rooms) lendComputer() {
	ctx, stopLending := context.WithCancel(r.workCtx)
	if r.stopLending = stopLending; r.HostIdle {
		stopLending()
		return
	}
	r.takePartInRun(ctx)
}

// SetLending sets whether the host's computer computes replicates.
func (r *Rooms) SetLending(isLending bool) {
	if !r.Hosting || r.HostIdle == !isLending {
		return
	}
	r.HostIdle = !isLending
	r.saveRoom()
	if r.Phase == state.RoomWorking {
		r.stopLending()
		r.lendComputer()
	}
}

// changeJob calls change on the goroutine of the controller and returns its error. If ctx is done, it returns
// ctx.Err().
func (r *Rooms) changeJob(ctx context.Context, change func() error) (err error) {
	r.runAndWait(func() {
		if err = ctx.Err(); err == nil {
			err = change()
			r.Repaint.NewNumbers = true
		}
	})
	return err
}

// recreateJob replaces the job of a host by a new one without results.
func (r *Rooms) recreateJob() error {
	j, err := engine.NewJob(r.facts.Spec(), r.facts.LastModel(), r.facts.Options(&r.Workers))
	if err != nil {
		return err
	}
	j.Gather()
	if r.Replicate == nil { // otherwise workers have only units of the replicate
		r.Workers.Abort()
	}
	r.Queue(effect.ReplaceJob{Job: j})
	return nil
}

// endRun ends the run of a host when all outcomes are verified. The page then does the remaining work of the job, such
// as the exact value.
func (r *Rooms) endRun() {
	r.Phase = state.RoomDone
	r.endWork()
	r.Queue(effect.Assign{}) // continues or ends the job
	r.addCoursePoint()
	r.Board = r.makeBoard()
	r.saveRoom()
	r.LookAtOnce()
	r.Repaint.AtOnce()
}

// endRunEarly ends a run before its end. Its results so far stay, without a hash.
func (r *Rooms) endRunEarly() {
	if r.Hosting && r.Phase == state.RoomWorking && r.facts.Job() != nil {
		r.finishRun()
		r.facts.Job().Stop()
		r.endRun()
	}
}

// failRun returns a host to the lobby after an error of the run, and shows the error.
func (r *Rooms) failRun(err error) {
	r.endWork()
	r.finishRun()
	r.Workers.Abort()
	r.Queue(effect.EndRun{})
	r.Phase = state.RoomLobby
	r.Problem = &state.Message{Level: "error", Text: r.Words.T("nothing.ran", r.Words.Sentence(err))}
	r.Repaint.AtOnce()
}

// Unconfirmed reports whether the hashes of a host's results must be marked as unconfirmed, because outcomes are
// missing or some may be wrong.
func (r *Rooms) Unconfirmed() bool {
	return r.Hosting && (r.Computing() || r.Phase == state.RoomDone && r.Counts.Marked())
}

// watchAsHost repeatedly sends the progress of the run to the devices (the board), and requests the list of devices,
// until ctx is done or the room has ended.
func (r *Rooms) watchAsHost(ctx context.Context, o *room.Owner) {
	lastText, lastTime, openStep := "", time.Time{}, 0
	for wake := r.wake; ctx.Err() == nil; {
		text := ""
		openStep, _ = r.takeVotes(ctx, o, openStep) // after an error it tries again
		r.runAndWait(func() {
			if ctx.Err() == nil {
				r.saveRoom()
				text = r.boardText()
			}
		})

		// Send the board when it has changed, and at intervals.
		var err error
		if ctx.Err() == nil && (text != lastText || time.Since(lastTime) > keepAlive) {
			if err = o.SetBoard(ctx, text); err == nil {
				lastText, lastTime = text, time.Now()
			}
		}

		// Request the devices, unless the server has closed the room.
		var devices []room.Device
		if err == nil {
			devices, err = o.Devices(ctx)
		}
		if room.IsOver(err) {
			r.schedule(ctx, func() { r.endRoom(state.RoomClosed, nil) })
			return
		}
		if refusalStatus(err) > 0 {
			r.schedule(ctx, func() { r.endRoom(state.RoomRefused, err) })
			return
		}
		if err == nil {
			r.schedule(ctx, func() { r.Devices, r.Repaint.NewNumbers = devices, true })
		}
		r.listenToRemote(ctx, o, wake, pollInterval(hostInterval, len(devices)))
	}
}
