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

// Request is a request to the server. Path is relative to api/ and includes the query.
type Request struct {
	Method, Path         string
	Token, Device, Build string // "" if not needed
	Body                 []byte
}

// Header returns the headers that a Transport must send.
func (r Request) Header() map[string]string {
	h := map[string]string{HeaderAPI: strconv.Itoa(API)}
	if r.Method == "POST" {
		h["Content-Type"] = "application/octet-stream" // other sites cannot send this type without a preflight
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

// Response is a response of the server.
type Response struct {
	Status int
	JSON   bool
	Retry  time.Duration // Retry-After, or 0
	Body   []byte
}

// Transport sends requests to one server: by net/http natively, by fetch in a page. An error means that there was no
// response.
type Transport interface {
	Send(ctx context.Context, r Request) (Response, error)
}

// retryTime is how long a client repeats a request to a server that does not respond.
const retryTime = 2 * time.Minute

// send sends a request, repeats it while the server is unavailable or busy, and returns the body. If the server refuses
// the request, the error is a *Refused.
func send(ctx context.Context, t Transport, r Request) ([]byte, error) {
	startTime := time.Now()
	for attempt := 0; ; attempt++ {
		response, err := t.Send(ctx, r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		busy := response.Status == 429 && (!response.JSON || response.Retry > 0) || response.Status == 408 || response.Status >= 500
		if err == nil && !busy {
			return response.Body, response.refusedError()
		}
		if response.Retry > retryTime { // the error states the time to wait
			return nil, response.refusedError()
		}
		if time.Since(startTime) > retryTime {
			if err == nil {
				err = response.refusedError()
			}
			if response.Status == 429 || response.Status == 507 {
				return nil, err
			}
			return nil, problem.New("the room's server does not answer: %w", err)
		}
		wait := max(response.Retry, min(100*time.Millisecond<<min(attempt, 6), 5*time.Second))
		if err := Sleep(ctx, wait+rand.N(wait/2)); err != nil {
			return nil, err
		}
	}
}

// refusedError returns the error in a response, or nil.
func (a Response) refusedError() error {
	if a.Status < 300 {
		return nil
	}
	if err := a.ServerError(); err != nil {
		return err
	}
	return &Refused{a.Status, problem.New("the server offers no rooms (status %d)", a.Status)}
}

// ServerError returns the error that the server has sent as text, or nil. A Transport may show it while the request is
// repeated, for example that the disk of the server is full.
func (a Response) ServerError() error {
	var f Failure
	if a.Status >= 300 && a.JSON && json.Unmarshal(a.Body, &f) == nil {
		if err := f.Err(); err != nil {
			return &Refused{a.Status, err}
		}
	}
	return nil
}

// Refused is an error from the server, with the status of the response.
type Refused struct {
	Status int
	Err    error
}

func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap returns the error with its code.
func (r *Refused) Unwrap() error { return r.Err }

// Sleep waits until d has elapsed or ctx is done, and returns ctx.Err() in the latter case.
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

// ReadMeta returns the Meta of a server, or an error if it has no rooms.
func ReadMeta(ctx context.Context, t Transport) (m Meta, err error) {
	a, err := t.Send(ctx, Request{Method: "GET", Path: "meta"})
	if err == nil {
		err = a.refusedError()
	}
	if err == nil && (!a.JSON || json.Unmarshal(a.Body, &m) != nil || m.API != API) {
		err = problem.New("the server offers no rooms (status %d)", a.Status)
	}
	return m, err
}

// Client sends requests to a room, as a device if Device is set.
type Client struct {
	Transport Transport
	Code      string
	Device    string // random (NewSecret); "" for a visitor who does not join the room
}

func (c *Client) path(format string, args ...any) string {
	return "rooms/" + c.Code + fmt.Sprintf(format, args...)
}

// request sends a request and decodes the response into result, unless result is nil.
func (c *Client) request(ctx context.Context, r Request, result any) error {
	r.Device = c.Device
	b, err := send(ctx, c.Transport, r)
	if err != nil || result == nil {
		return err
	}
	if json.Unmarshal(b, result) != nil {
		return problem.New("the answer of the room's server is damaged")
	}
	return nil
}

// Info returns the state of the room. A device that calls it joins the room, and counts as present.
func (c *Client) Info(ctx context.Context) (info Info, err error) {
	err = c.request(ctx, Request{Method: "GET", Path: c.path("")}, &info)
	return info, err
}

// File downloads a file of the host.
func (c *Client) File(ctx context.Context, f File) (data []byte, err error) {
	if f.Parts < 0 || f.Parts > MaxParts {
		return nil, problem.New("the answer of the room's server is damaged")
	}
	for k := range f.Parts {
		b, err := send(ctx, c.Transport, Request{Method: "GET", Path: c.path("/file?name=%s&part=%d", f.Name, k),
			Device: c.Device})
		if err != nil {
			return nil, err
		}
		data = append(data, b...)
	}
	return data, nil
}

// TakeReplicate requests a replicate of a run.
func (c *Client) TakeReplicate(ctx context.Context, run int) (task Task, err error) {
	err = c.request(ctx, Request{Method: "POST", Path: c.path("/take?run=%d", run), Build: Build}, &task)
	return task, err
}

// SendOutcome sends the outcome of a replicate that was taken.
func (c *Client) SendOutcome(ctx context.Context, run, index int, outcome []byte) error {
	if len(outcome) > MaxBody {
		return problem.New("the results of a replicate have %d kB, and a room takes at most 1 MB: use fewer temperatures "+
			"or methods", len(outcome)>>10)
	}
	return c.request(ctx, Request{Method: "POST", Path: c.path("/result?run=%d&index=%d", run, index), Body: outcome}, nil)
}

// Vote sends or changes the answer of the device to the open question of a step.
func (c *Client) Vote(ctx context.Context, step, answer int) error {
	return c.request(ctx, Request{Method: "POST", Path: c.path("/vote?step=%d&answer=%d", step, answer)}, nil)
}

// PressRemote presses the remote control of a lecture: forward or back.
func (c *Client) PressRemote(ctx context.Context, remote string, forward bool) error {
	direction := 0
	if forward {
		direction = 1
	}
	return c.request(ctx, Request{Method: "POST", Path: c.path("/turn?to=%d", direction), Token: remote}, nil)
}

// Owner is a client with the token of the host.
type Owner struct {
	Client
	Token string
}

// NewOwner returns the host of an open room.
func NewOwner(t Transport, code, token string) *Owner {
	return &Owner{Client{Transport: t, Code: code}, token}
}

// Open opens a room.
func Open(ctx context.Context, t Transport) (*Owner, error) {
	var o Opened
	if err := (&Client{Transport: t}).request(ctx, Request{Method: "POST", Path: "rooms"}, &o); err != nil {
		return nil, err
	}
	return NewOwner(t, o.Code, o.Token), nil
}

func (o *Owner) post(ctx context.Context, body []byte, result any, format string, args ...any) error {
	return o.request(ctx, Request{Method: "POST", Path: o.path(format, args...), Token: o.Token, Body: body}, result)
}

func (o *Owner) get(ctx context.Context, result any, format string, args ...any) error {
	return o.request(ctx, Request{Method: "GET", Path: o.path(format, args...), Token: o.Token}, result)
}

// Start starts a run of this build. It replaces the previous run, whose results are deleted. files are the model files
// for the devices, by name.
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

// Info returns the state of the room.
func (o *Owner) Info(ctx context.Context) (info Info, err error) {
	err = o.get(ctx, &info, "")
	return info, err
}

// Results returns results of a run with sequence numbers above after, in order.
func (o *Owner) Results(ctx context.Context, run, after int) (x Results, err error) {
	err = o.get(ctx, &x, "/results?run=%d&after=%d", run, after)
	return x, err
}

// Finish ends the run. The server then assigns no more replicates.
func (o *Owner) Finish(ctx context.Context, run int) error {
	return o.post(ctx, nil, nil, "/finish?run=%d", run)
}

// Devices returns the devices that have joined the room.
func (o *Owner) Devices(ctx context.Context) (devices []Device, err error) {
	err = o.get(ctx, &devices, "/devices")
	return devices, err
}

// Exclude excludes a device: the server deletes its results of the run, refuses further ones, and hands their
// replicates out again.
func (o *Owner) Exclude(ctx context.Context, device string) error {
	return o.post(ctx, nil, nil, "/drop?device=%s", device)
}

// SetBoard sets the text that everybody in the room receives (the board): the progress of the run, which pages show.
func (o *Owner) SetBoard(ctx context.Context, text string) error {
	return o.post(ctx, []byte(text), nil, "/board")
}

// OpenQuestion opens the question of a step to votes and closes the previous one. With answers = 0 it only closes.
func (o *Owner) OpenQuestion(ctx context.Context, step, answers int) error {
	return o.post(ctx, nil, nil, "/ask?step=%d&answers=%d", step, answers)
}

// Votes returns the counts of a question so far.
func (o *Owner) Votes(ctx context.Context, step int) (v Votes, err error) {
	err = o.get(ctx, &v, "/votes?step=%d", step)
	return v, err
}

// Close closes the room.
func (o *Owner) Close(ctx context.Context) error { return o.post(ctx, nil, nil, "/close") }
