package room

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
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
	h := map[string]string{}
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

// Answer is what came back.
type Answer struct {
	Status int
	JSON   bool
	Retry  time.Duration // Retry-After, 0 if it is not told
	Body   []byte
}

// Transport sends requests to one server: net/http natively, fetch in a page. An error means that no answer came.
type Transport interface {
	Send(ctx context.Context, r Request) (Answer, error)
}

// patience is how long a client goes on trying a server that gives no answer.
const patience = 2 * time.Minute

// Client calls a room.
type Client struct {
	Transport Transport
	Code      string
}

// call sends a request, again while the server is away or busy, and returns the body. A refusal is a problem.Error.
func call(ctx context.Context, t Transport, r Request) ([]byte, error) {
	begun := time.Now()
	for try := 0; ; try++ {
		a, err := t.Send(ctx, r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// A refusal for longer than a moment says so in JSON.
		busy := a.Status == 429 && (!a.JSON || a.Retry > 0) || a.Status >= 500
		if err == nil && !busy {
			return a.Body, a.refusal()
		}
		if time.Since(begun) > patience {
			if err == nil {
				err = a.refusal()
			}
			if a.Status == 429 {
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
func (a Answer) refusal() error {
	if a.Status < 300 {
		return nil
	}
	var f Failure
	if a.JSON && json.Unmarshal(a.Body, &f) == nil {
		if err := f.Err(); err != nil {
			return &Refused{a.Status, err}
		}
	}
	return &Refused{a.Status, problem.New("the server offers no rooms (status %d)", a.Status)}
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

func (c *Client) path(format string, args ...any) string {
	return "rooms/" + c.Code + fmt.Sprintf(format, args...)
}

// Info tells how the room stands.
func (c *Client) Info(ctx context.Context) (info Info, err error) {
	b, err := call(ctx, c.Transport, Request{Method: "GET", Path: c.path("")})
	if err == nil {
		err = json.Unmarshal(b, &info)
	}
	return info, err
}

// fetch gets what was sent in parts.
func (c *Client) fetch(ctx context.Context, token, name string, parts int) (all []byte, err error) {
	if parts < 0 || parts > MaxParts {
		return nil, problem.New("the answer of the room's server is damaged")
	}
	for k := range parts {
		path := c.path("/part?name=%s&part=%d", name, k)
		b, err := call(ctx, c.Transport, Request{Method: "GET", Token: token, Path: path})
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	return all, nil
}

// File gets a file that the host gave.
func (c *Client) File(ctx context.Context, f File) ([]byte, error) {
	return c.fetch(ctx, "", "file/"+f.Name, f.Parts)
}

// Member is a device in a room. It has one unit at a time.
type Member struct {
	Client
	Device string // random

	round  string // the one whose common part is kept
	common []byte
}

// Join makes a device a member of a room. It is refused if it would compute other digits.
func Join(ctx context.Context, t Transport, code, device string) (*Member, Info, error) {
	m := &Member{Client: Client{t, code}, Device: device}
	info, err := m.Info(ctx)
	if err == nil && info.Build != Build {
		err = OtherBuild(info.Build, Build)
	}
	return m, info, err
}

// OtherBuild is the error of a device that has another program than the host.
func OtherBuild(host, device string) error {
	return problem.New("the room was opened by build %s of the lab, and this is build %s: load the page again, or take "+
		"the same version of the program on both machines", host, device)
}

// Take asks for a unit. If there is none now, it is nil, and the device should ask again after the time that is told.
func (m *Member) Take(ctx context.Context) (*Parcel, time.Duration, error) {
	b, err := call(ctx, m.Transport, Request{Method: "POST", Path: m.path("/take"), Device: m.Device,
		Build: Build})
	if err != nil {
		return nil, 0, err
	}
	o, err := ReadOffer(b)
	if err != nil {
		return nil, 0, err
	}
	if o.Unit == "" {
		return nil, o.Wait, nil
	}
	if m.round != o.Round {
		if m.common, err = m.fetch(ctx, "", "round/"+o.Round, o.RoundParts); err != nil {
			return nil, 0, err
		}
		m.round = o.Round
	}
	p := &Parcel{o.Unit, o.Round, o.Lease, m.common, o.Own}
	if o.OwnParts > 0 {
		p.Own, err = m.fetch(ctx, "", "unit/"+o.Unit, o.OwnParts)
	}
	return p, 0, err
}

// Renew keeps a unit that takes longer than its lease.
func (m *Member) Renew(ctx context.Context, p *Parcel) error {
	_, err := call(ctx, m.Transport, Request{Method: "POST", Path: m.path("/renew?unit=%s", p.Unit), Device: m.Device})
	return err
}

// Give gives a result back.
func (m *Member) Give(ctx context.Context, p *Parcel, result []byte) error {
	return m.send(ctx, Request{Device: m.Device}, "result?unit="+p.Unit, result)
}

// Vote says what the machine answers to the question that is open, or changes that.
func (m *Member) Vote(ctx context.Context, step, answer int) error {
	_, err := call(ctx, m.Transport, Request{Method: "POST", Path: m.path("/vote?step=%d&answer=%d", step, answer),
		Device: m.Device})
	return err
}

// Turn presses a remote: on, or back.
func (c *Client) Turn(ctx context.Context, remote string, on bool) error {
	to := 0
	if on {
		to = 1
	}
	_, err := call(ctx, c.Transport, Request{Method: "POST", Path: c.path("/turn?to=%d", to), Token: remote})
	return err
}

// send posts bytes part by part.
func (c *Client) send(ctx context.Context, r Request, path string, body []byte) error {
	parts := Parts(body)
	if len(parts) > MaxParts {
		return problem.New("%d MB are too much for a room", len(body)>>20)
	}
	for k, part := range parts {
		r.Method, r.Body = "POST", part
		r.Path = c.path("/%s&part=%d&of=%d", path, k, len(parts))
		if _, err := call(ctx, c.Transport, r); err != nil {
			return err
		}
	}
	return nil
}

// Link is the address that everybody may open: a room's page.
func Link(base, code string) string { return strings.TrimSuffix(base, "/") + "/#room=" + code }

// ReadLink takes the address and code of a room apart. View settings that follow are left out.
func ReadLink(link string) (base, code string, err error) {
	base, code, ok := strings.Cut(link, "#room=")
	code, view, viewed := strings.Cut(code, "&")
	ok, code = ok && (!viewed || strings.HasPrefix(view, "view.")), strings.ToUpper(code)
	if !ok || !IsCode(code) || !strings.HasPrefix(base, "http://") && !strings.HasPrefix(base, "https://") {
		return "", "", problem.New("%q is no link to a room; it looks like http://host:8080/#room=ABCDEF", link)
	}
	return strings.TrimSuffix(base, "/") + "/", code, nil
}
