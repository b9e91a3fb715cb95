package engine

import (
	"math/rand/v2"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/labtest"
)

// aUnit is a message with every field filled.
func aUnit() []byte {
	m := unitMessage{ID: 3, Link: "v=1&model=mixture2&method=ais,rts", Base: []float64{.5, .25}, Paused: true, Watch: true,
		Task: Task{Track: 1, Unit: &estimators.Unit{Round: "final", Plan: []byte{1, 2, 3}, Lane: 4, State: []byte{5, 6}}}}
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

// A worker refuses damaged messages by an error, never by a panic.
func TestControlNeverPanics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := NewWorker()
	for range 20000 {
		run, err := w.Control(labtest.Damage(r, aUnit()))
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
