package room

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Owner is the host of a room.
type Owner struct {
	Client
	Token string

	sent map[string]bool // rounds that are there
}

// NewOwner is the host of a room that is open already.
func NewOwner(t Transport, code, token string) *Owner {
	return &Owner{Client: Client{t, code}, Token: token, sent: map[string]bool{}}
}

// Open opens a room for the experiment of a canonical link; files are the names of those of an own model that the host
// will give.
func Open(ctx context.Context, t Transport, link string, files ...string) (*Owner, error) {
	body, _ := json.Marshal(Setup{Build: Build, Link: link, Files: files})
	b, err := call(ctx, t, Request{Method: "POST", Path: "rooms", Body: body})
	if err != nil {
		return nil, err
	}
	var o Opened
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	return NewOwner(t, o.Code, o.Token), nil
}

func (o *Owner) post(ctx context.Context, path string, body []byte) error {
	_, err := call(ctx, o.Transport, Request{Method: "POST", Path: o.path("%s", path), Token: o.Token, Body: body})
	return err
}

// GiveFile puts a file of an own model into the room, for all devices.
func (o *Owner) GiveFile(ctx context.Context, name string, data []byte) error {
	return o.send(ctx, Request{Token: o.Token}, "part?name=file/"+name, data)
}

// Post is a unit with what its round has in common.
type Post struct {
	ID, Round   string
	Common, Own []byte
}

// Put puts units into the room. Those that are there already stay.
func (o *Owner) Put(ctx context.Context, units []Post) error {
	for len(units) > 0 {
		round := units[0].Round
		n := slices.IndexFunc(units, func(p Post) bool { return p.Round != round })
		if n < 0 {
			n = len(units)
		}
		if err := o.putRound(ctx, units[0]); err != nil {
			return err
		}
		n, err := o.putUnits(ctx, units[:min(n, MaxBatch)])
		if err != nil {
			return err
		}
		units = units[n:]
	}
	return nil
}

func (o *Owner) putRound(ctx context.Context, p Post) error {
	if o.sent[p.Round] {
		return nil
	}
	err := o.send(ctx, Request{Token: o.Token}, "part?name=round/"+p.Round, p.Common)
	o.sent[p.Round] = err == nil
	return err
}

// putUnits puts as many units of a round as a request takes.
func (o *Owner) putUnits(ctx context.Context, units []Post) (n int, err error) {
	b := Batch{Round: units[0].Round, RoundParts: len(Parts(units[0].Common))}
	for size := 0; n < len(units); n++ {
		u := Unit{ID: units[n].ID, Own: units[n].Own}
		if len(u.Own) > PartSize/2 {
			if err := o.send(ctx, Request{Token: o.Token}, "part?name=unit/"+u.ID, u.Own); err != nil {
				return 0, err
			}
			u.OwnParts, u.Own = len(Parts(u.Own)), nil
		}
		if size += len(u.Own) + 64; size > PartSize {
			break
		}
		b.Units = append(b.Units, u)
	}
	return n, o.post(ctx, "/units", b.Append(nil))
}

// Results are those after a number, with their bytes. Those of a device that another program has left out meanwhile, as
// the host of this room, have parts but no bytes.
func (o *Owner) Results(ctx context.Context, after int) (*Results, error) {
	b, err := call(ctx, o.Transport, Request{Method: "GET", Token: o.Token, Path: o.path("/results?after=%d", after)})
	if err != nil {
		return nil, err
	}
	all, err := ReadResults(b)
	if err != nil {
		return nil, err
	}
	for i, r := range all.All {
		if r.Parts > 0 {
			name := "result/" + r.Unit + "/" + r.Device
			var no *Refused
			all.All[i].Body, err = o.fetch(ctx, o.Token, name, r.Parts)
			if err != nil && !(errors.As(err, &no) && no.Status == 404) {
				return nil, err
			}
		}
	}
	return all, nil
}

// Devices lists those that joined.
func (o *Owner) Devices(ctx context.Context) (all []Device, err error) {
	b, err := call(ctx, o.Transport, Request{Method: "GET", Token: o.Token, Path: o.path("/devices")})
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	return all, err
}

// Drop leaves a device out: nothing is taken from it any more, and its units are free again.
func (o *Owner) Drop(ctx context.Context, device string) error {
	return o.post(ctx, "/drop?device="+device, nil)
}

// Again frees a unit whose result is an error, for another device.
func (o *Owner) Again(ctx context.Context, unit string) error {
	return o.post(ctx, "/again?unit="+unit, nil)
}

// Say tells everybody in the room how the run stands: a text that pages know how to show.
func (o *Owner) Say(ctx context.Context, text string) error {
	return o.post(ctx, "/board", []byte(text))
}

// Ask opens a question to votes, in place of the one before. With no answers it is closed.
func (o *Owner) Ask(ctx context.Context, step, answers int) error {
	return o.post(ctx, fmt.Sprintf("/ask?step=%d&answers=%d", step, answers), nil)
}

// Votes are the counts of a question so far.
func (o *Owner) Votes(ctx context.Context, step int) (v Votes, err error) {
	b, err := call(ctx, o.Transport, Request{Method: "GET", Token: o.Token, Path: o.path("/votes?step=%d", step)})
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	return v, err
}

// Close ends the room.
func (o *Owner) Close(ctx context.Context) error { return o.post(ctx, "/close", nil) }
