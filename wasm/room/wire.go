package room

import (
	"time"

	"logzlab/core/wire"
)

// Parcel is a unit as a device gets it.
type Parcel struct {
	Unit, Round string        // ids
	Lease       time.Duration // for so long it is this device's, unless it is renewed
	Common, Own []byte        // as in engine.Job.Parcel
}

// Offer is the answer to a device that asks for a unit.
type Offer struct {
	Wait        time.Duration // if there is none: how long to wait before asking again
	Unit, Round string        // "" if there is none
	Lease       time.Duration
	RoundParts  int
	OwnParts    int // 0: Own has it
	Own         []byte
}

// Append encodes the offer.
func (o *Offer) Append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.Int(int(o.Wait.Milliseconds()))
	w.String(o.Unit)
	w.String(o.Round)
	w.Int(int(o.Lease.Milliseconds()))
	w.Int(o.RoundParts)
	w.Int(o.OwnParts)
	w.Bytes(o.Own)
	return w.B
}

// ReadOffer decodes an offer.
func ReadOffer(b []byte) (*Offer, error) {
	r := wire.Reader{B: b}
	o := &Offer{Wait: milliseconds(&r), Unit: r.String(), Round: r.String(), Lease: milliseconds(&r),
		RoundParts: r.Int(), OwnParts: r.Int(), Own: r.Bytes()}
	return o, end(&r)
}

func milliseconds(r *wire.Reader) time.Duration { return time.Duration(r.Int()) * time.Millisecond }

func end(r *wire.Reader) error {
	if r.Err == nil && len(r.B) > 0 {
		r.Err = wire.ErrShort
	}
	return r.Err
}

// Unit is one that a host puts into its room.
type Unit struct {
	ID       string
	OwnParts int // 0: Own has it, else it was sent before, in parts
	Own      []byte
}

// Batch is some units of a round.
type Batch struct {
	Round      string
	RoundParts int
	Units      []Unit
}

// Append encodes the batch.
func (u *Batch) Append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.String(u.Round)
	w.Int(u.RoundParts)
	w.Uint(uint64(len(u.Units)))
	for _, x := range u.Units {
		w.String(x.ID)
		w.Int(x.OwnParts)
		w.Bytes(x.Own)
	}
	return w.B
}

// ReadBatch decodes a batch, and refuses one that cannot be.
func ReadBatch(b []byte) (*Batch, error) {
	r := wire.Reader{B: b}
	u := &Batch{Round: r.String(), RoundParts: r.Int()}
	n := r.Uint()
	if !IsID(u.Round) || u.RoundParts < 1 || u.RoundParts > MaxParts || n == 0 || n > MaxBatch {
		return nil, wire.ErrShort
	}
	for range n {
		x := Unit{ID: r.String(), OwnParts: r.Int(), Own: r.Bytes()}
		if !IsID(x.ID) || x.OwnParts < 0 || x.OwnParts > MaxParts || (x.OwnParts == 0) != (len(x.Own) > 0) {
			return nil, wire.ErrShort
		}
		u.Units = append(u.Units, x)
	}
	return u, end(&r)
}

// Result is what a device gave back: the first of a unit counts, those of other devices are checks.
type Result struct {
	Seq          int // counts the results of the server
	Unit, Device string
	Hash         string // Digest
	Parts        int    // 0: Body has it
	Body         []byte // of a check it is empty
}

// Results are those since the host last asked.
type Results struct {
	Wait    time.Duration // before asking again
	Devices int           // that joined
	Full    bool          // the room takes no more results
	All     []Result
}

// Append encodes the results.
func (x *Results) Append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.Int(int(x.Wait.Milliseconds()))
	w.Int(x.Devices)
	w.Bool(x.Full)
	w.Uint(uint64(len(x.All)))
	for _, r := range x.All {
		w.Int(r.Seq)
		w.String(r.Unit)
		w.String(r.Device)
		w.String(r.Hash)
		w.Int(r.Parts)
		w.Bytes(r.Body)
	}
	return w.B
}

// ReadResults decodes results.
func ReadResults(b []byte) (*Results, error) {
	r := wire.Reader{B: b}
	x := &Results{Wait: milliseconds(&r), Devices: r.Int(), Full: r.Bool()}
	for n := r.Uint(); n > 0 && r.Err == nil; n-- {
		x.All = append(x.All, Result{r.Int(), r.String(), r.String(), r.String(), r.Int(), r.Bytes()})
	}
	return x, end(&r)
}
