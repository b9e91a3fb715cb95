package room

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"logzlab/core/problem"
)

// Request is one call of the server. Path is below api/, with its query.
type Request struct {
	Method, Path         string
	Token, Device, Build string // "" where it is not needed
	Body                 []byte
}

// Header is what a Transport must send along.
func (r Request) Header() map[string]string {
	h := map[string]string{HeaderAPI: strconv.Itoa(API)}
	if r.Method == "POST" {
		h["Content-Type"] = "application/octet-stream" // which other sites may not send
	}
	if r.Token != "" {
		h["Authorization"] = "Bearer " + r.Token
	}
	if r.Device != "" {
		h[HeaderDevice] = r.Device
	}
	if r.Build != "" {
		h[HeaderBuild] = r.Build
	}
	return h
}

// Response is what came back.
type Response struct {
	Status int
	JSON   bool
	Retry  time.Duration // Retry-After, 0 if there is none
	Body   []byte
}

// Transport sends requests to one server: net/http natively, fetch in a page. An error means that no answer came.
type Transport interface {
	Send(ctx context.Context, r Request) (Response, error)
}

// patience is how long a client goes on trying a server that gives no answer.
const patience = 2 * time.Minute

// call sends a request, again while the server is away or busy, and returns the body. A refusal is a *Refused.
func call(ctx context.Context, t Transport, r Request) ([]byte, error) {
	begun := time.Now()
	for try := 0; ; try++ {
		a, err := t.Send(ctx, r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		busy := a.Status == 429 && (!a.JSON || a.Retry > 0) || a.Status == 408 || a.Status >= 500
		if err == nil && !busy {
			return a.Body, a.refusal()
		}
		if a.Retry > patience { // the refusal says for how long
			return nil, a.refusal()
		}
		if time.Since(begun) > patience {
			if err == nil {
				err = a.refusal()
			}
			if a.Status == 429 || a.Status == 507 {
				return nil, err
			}
			return nil, problem.New("the room's server does not answer: %w", err)
		}
		wait := max(a.Retry, min(100*time.Millisecond<<min(try, 6), 5*time.Second))
		if err := Sleep(ctx, wait+rand.N(wait/2)); err != nil {
			return nil, err
		}
	}
}

// refusal is the error that an answer tells, or nil.
func (a Response) refusal() error {
	if a.Status < 300 {
		return nil
	}
	if err := a.ServerError(); err != nil {
		return err
	}
	return &Refused{a.Status, problem.New("the server offers no rooms (status %d)", a.Status)}
}

// ServerError is the refusal that the server gave in words, or nil. A transport may show one of a server that is asked again
// and again, such as that its disk is full.
func (a Response) ServerError() error {
	var f Failure
	if a.Status >= 300 && a.JSON && json.Unmarshal(a.Body, &f) == nil {
		if err := f.Err(); err != nil {
			return &Refused{a.Status, err}
		}
	}
	return nil
}

// Refused is an error that the server told.
type Refused struct {
	Status int
	Err    error
}

func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap is the error with its code.
func (r *Refused) Unwrap() error { return r.Err }

// Sleep waits, but no longer than ctx lasts.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// ReadMeta asks a server whether it has rooms.
func ReadMeta(ctx context.Context, t Transport) (m Meta, err error) {
	a, err := t.Send(ctx, Request{Method: "GET", Path: "meta"})
	if err == nil {
		err = a.refusal()
	}
	if err == nil && (!a.JSON || json.Unmarshal(a.Body, &m) != nil || m.API != API) {
		err = problem.New("the server offers no rooms (status %d)", a.Status)
	}
	return m, err
}

// Client calls a room, as a device if it has the id of one.
type Client struct {
	Transport Transport
	Code      string
	Device    string // random (NewSecret), "" for a visitor who is not seen in the room
}

func (c *Client) path(format string, args ...any) string {
	return "rooms/" + c.Code + fmt.Sprintf(format, args...)
}

// ask sends a request and reads the answer into to, unless that is nil.
func (c *Client) ask(ctx context.Context, r Request, to any) error {
	r.Device = c.Device
	b, err := call(ctx, c.Transport, r)
	if err != nil || to == nil {
		return err
	}
	if json.Unmarshal(b, to) != nil {
		return problem.New("the answer of the room's server is damaged")
	}
	return nil
}

// Info tells how the room stands. For a device it is a sign of life, and brings it into the room.
func (c *Client) Info(ctx context.Context) (info Info, err error) {
	err = c.ask(ctx, Request{Method: "GET", Path: c.path("")}, &info)
	return info, err
}

// File gets a file that the host gave.
func (c *Client) File(ctx context.Context, f File) (all []byte, err error) {
	if f.Parts < 0 || f.Parts > MaxParts {
		return nil, problem.New("the answer of the room's server is damaged")
	}
	for k := range f.Parts {
		b, err := call(ctx, c.Transport, Request{Method: "GET", Path: c.path("/file?name=%s&part=%d", f.Name, k),
			Device: c.Device})
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	return all, nil
}

// Take asks for a replicate of a run.
func (c *Client) Take(ctx context.Context, run int) (task Task, err error) {
	err = c.ask(ctx, Request{Method: "POST", Path: c.path("/take?run=%d", run), Build: Build}, &task)
	return task, err
}

// Give gives the outcome of a replicate that was taken.
func (c *Client) Give(ctx context.Context, run, index int, outcome []byte) error {
	if len(outcome) > MaxBody {
		return problem.New("the results of a replicate have %d kB, and a room takes at most 1 MB: use fewer temperatures "+
			"or methods", len(outcome)>>10)
	}
	return c.ask(ctx, Request{Method: "POST", Path: c.path("/result?run=%d&index=%d", run, index), Body: outcome}, nil)
}

// Vote is the device's answer to the open question of a step, or changes it.
func (c *Client) Vote(ctx context.Context, step, answer int) error {
	return c.ask(ctx, Request{Method: "POST", Path: c.path("/vote?step=%d&answer=%d", step, answer)}, nil)
}

// PressRemote presses the remote of a lecture: on, or back.
func (c *Client) PressRemote(ctx context.Context, remote string, on bool) error {
	to := 0
	if on {
		to = 1
	}
	return c.ask(ctx, Request{Method: "POST", Path: c.path("/turn?to=%d", to), Token: remote}, nil)
}

// Owner is the host of a room.
type Owner struct {
	Client
	Token string
}

// NewOwner is the host of a room that is open.
func NewOwner(t Transport, code, token string) *Owner {
	return &Owner{Client{Transport: t, Code: code}, token}
}

// Open opens a room.
func Open(ctx context.Context, t Transport) (*Owner, error) {
	var o Opened
	if err := (&Client{Transport: t}).ask(ctx, Request{Method: "POST", Path: "rooms"}, &o); err != nil {
		return nil, err
	}
	return NewOwner(t, o.Code, o.Token), nil
}

func (o *Owner) post(ctx context.Context, body []byte, to any, format string, args ...any) error {
	return o.ask(ctx, Request{Method: "POST", Path: o.path(format, args...), Token: o.Token, Body: body}, to)
}

func (o *Owner) get(ctx context.Context, to any, format string, args ...any) error {
	return o.ask(ctx, Request{Method: "GET", Path: o.path(format, args...), Token: o.Token}, to)
}

// Start begins a run of this build, in place of the one before, whose results are deleted. files are those of an own
// model that the devices get, by name.
func (o *Owner) Start(ctx context.Context, link string, replicates int, files map[string][]byte) (run Run, err error) {
	run = Run{Build: Build, Link: link, Replicates: replicates}
	for name, data := range files {
		parts := Parts(data)
		if len(parts) > MaxParts {
			return run, problem.New("%d MB are too much for a room", len(data)>>20)
		}
		for k, part := range parts {
			if err := o.post(ctx, part, nil, "/file?name=%s&part=%d&of=%d", name, k, len(parts)); err != nil {
				return run, err
			}
		}
		run.Files = append(run.Files, File{name, len(parts)})
	}
	body, _ := json.Marshal(run)
	err = o.post(ctx, body, &run, "/run")
	return run, err
}

// Info tells how the room stands.
func (o *Owner) Info(ctx context.Context) (info Info, err error) {
	err = o.get(ctx, &info, "")
	return info, err
}

// Results are those of a run that came after the one with a number.
func (o *Owner) Results(ctx context.Context, run, after int) (x Results, err error) {
	err = o.get(ctx, &x, "/results?run=%d&after=%d", run, after)
	return x, err
}

// Finish ends the run: nothing is handed out any more.
func (o *Owner) Finish(ctx context.Context, run int) error {
	return o.post(ctx, nil, nil, "/finish?run=%d", run)
}

// Devices lists those that were seen in the room.
func (o *Owner) Devices(ctx context.Context) (all []Device, err error) {
	err = o.get(ctx, &all, "/devices")
	return all, err
}

// Exclude leaves a device out. Nothing is taken from it any more, its results of the run are deleted, and their replicates
// are handed out again.
func (o *Owner) Exclude(ctx context.Context, device string) error {
	return o.post(ctx, nil, nil, "/drop?device=%s", device)
}

// SetBoard tells everybody in the room how the run stands: a text that pages know how to show.
func (o *Owner) SetBoard(ctx context.Context, text string) error {
	return o.post(ctx, []byte(text), nil, "/board")
}

// OpenQuestion opens the question of a step to votes, in place of the one before. With no answers the question is closed.
func (o *Owner) OpenQuestion(ctx context.Context, step, answers int) error {
	return o.post(ctx, nil, nil, "/ask?step=%d&answers=%d", step, answers)
}

// Votes are the counts of a question so far.
func (o *Owner) Votes(ctx context.Context, step int) (v Votes, err error) {
	err = o.get(ctx, &v, "/votes?step=%d", step)
	return v, err
}

// Close ends the room.
func (o *Owner) Close(ctx context.Context) error { return o.post(ctx, nil, nil, "/close") }
