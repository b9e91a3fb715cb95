package session

import (
	"math/rand/v2"
	"testing"

	"logzlab/estimators"
)

// aUnit is a message with every field filled.
func aUnit() []byte {
	m := unitMessage{ID: 3, Link: smallLink, Base: []float64{.5, .25}, Paused: true, Watch: true,
		Task: Task{Track: 1, Method: "rts", Replicate: 2, Unit: &estimators.Unit{Round: "final", Plan: []byte{1, 2, 3}, Lane: 4, State: []byte{5, 6}}}}
	return m.encode()
}

func TestUnitMessage(t *testing.T) {
	b := aUnit()
	m, err := decodeUnit(b[1:])
	if err != nil {
		t.Fatal(err)
	}
	if string(m.encode()) != string(b) {
		t.Errorf("%+v does not encode to what it was decoded from", m)
	}
	for n := 1; n < len(b); n++ {
		if _, err := decodeUnit(b[1:n]); err == nil {
			t.Errorf("a message cut after %d of %d bytes was accepted", n, len(b))
		}
	}
	// No state and an empty state are told apart.
	m.Task.Unit.State = nil
	if n, err := decodeUnit(m.encode()[1:]); err != nil || n.Task.Unit.State != nil {
		t.Errorf("no state became %v, %v", n.Task.Unit.State, err)
	}
}

// damage changes, cuts or replaces bytes.
func damage(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	switch r.IntN(4) {
	case 0:
		b = b[:r.IntN(len(b)+1)]
	case 1:
		b = append(b, byte(r.Uint32()))
	case 2:
		b = make([]byte, 1+r.IntN(60))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		b[0] = "FUPRSXWDKEA"[r.IntN(11)]
		return b
	}
	for range r.IntN(4) {
		if len(b) > 1 {
			b[1+r.IntN(len(b)-1)] = byte(r.Uint32())
		}
	}
	return b
}

// A worker refuses damaged messages by an error, never by a panic.
func TestControlNeverPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := NewWorker()
	for range 20000 {
		run, err := w.Control(damage(r, aUnit()))
		if run && err == nil {
			if running, err := w.Start(); err != nil {
				running.Failed(err)
			}
		}
	}
	if run, err := w.Control(nil); run || err == nil {
		t.Error("an empty message was accepted")
	}
}

func FuzzControl(f *testing.F) {
	f.Add(aUnit())
	f.Add([]byte{MsgWatch, 200})
	f.Fuzz(func(t *testing.T, b []byte) {
		w := NewWorker()
		if run, err := w.Control(b); run && err == nil {
			w.Start()
		}
	})
}

// Whatever a worker sends, the brain stands: damaged results fail their method or
// cost a worker, and the next run is as good as ever.
func TestFromNeverPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	want := native(t, smallLink)
	trials := 300
	if testing.Short() {
		trials = 60
	}
	p := newPage(t, 2)
	for range trials {
		p.brain.Open(smallLink)
		for range 1 + r.IntN(6) {
			p.turn(30)
			for id, l := range p.lanes {
				if l.r == nil || r.IntN(3) == 0 {
					continue
				}
				msg := l.r.Done()
				if l.r.Unit.Peek != nil && r.IntN(2) == 0 {
					f, more := l.next()
					if !more {
						l.drop()
						continue
					}
					msg = l.r.Peek(f)
				}
				p.brain.From(id, damage(r, msg))
			}
			p.show()
		}
	}
	p.brain.Open(smallLink)
	if got := p.finish(); got != want {
		t.Errorf("after all that: %s, want %s", got, want)
	}
}
