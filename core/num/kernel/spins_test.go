package kernel

import (
	"bytes"
	"testing"

	"logzlab/core/num/rng"
)

// randomSpins returns rows of spins on a random graph with the given number of colours.
func randomSpins(s *rng.Stream, colours, rows int) *Spins {
	var list []Colour
	places := 0
	for range colours {
		c := Colour{places, 1 + s.Intn(11)}
		list = append(list, c)
		places += (c.N + 3) / 4 * 4
	}
	p := NewSpins(places, rows)
	p.Colour = list
	most := 0
	for _, c := range list {
		for i := range (c.N + 3) / 4 * 4 {
			p.First = append(p.First, int32(len(p.Edges)))
			sum := s.Intn(4)
			p.Const = append(p.Const, uint8(sum))
			for place := 0; place < places && i < c.N; place++ {
				if (place < c.From || place >= c.From+c.N) && s.Intn(4) == 0 {
					size := 1 + s.Intn(3)
					p.Edges = append(p.Edges, Edge{At: int32(place * p.Stride), Sign: uint8(-s.Intn(2)), Size: uint8(size)})
					sum += size
				}
			}
			most = max(most, sum)
		}
	}
	p.First = append(p.First, int32(len(p.Edges)))
	p.Sums = most + 1
	for k := range 3 {
		for sum := range most + 1 {
			p.Limits = append(p.Limits, Limit(int32(sum-most/2), float32(k)*.4))
		}
	}
	for r := range rows {
		p.Base[r] = int32(s.Intn(3) * (most + 1))
		if rows%2 == 0 {
			p.Base[r] = 0
		}
	}
	for i := range p.State {
		p.State[i] = uint8(-s.Intn(2))
	}
	return p
}

// testSpins compares a sweep with the Go code.
func testSpins(t *testing.T, sweep func(p *Spins, at rng.At, n int, back bool)) {
	for i := range 40 {
		s := rng.NewKey(1, "spins", i).Stream(0, 0, 0)
		rows := 1 + s.Intn(70)
		p := randomSpins(&s, 2+i%3, rows)
		for step := range 3 {
			at := rng.At{Key: rng.NewKey(2, "spins", i), Phase: 3, Slot: 1<<32 - 5, Step: uint32(step)}
			want, back := *p, step == 1
			want.State, want.index = bytes.Clone(p.State), make([]uint8, len(p.index))
			block := uint32(0)
			for k, c := range want.Colour {
				if back {
					c = want.Colour[len(want.Colour)-1-k]
				}
				want.drawGo(at, rows, c.From/4, (c.N+3)/4, block)
				block += uint32(c.N+3) / 4
			}
			sweep(p, at, rows, back)
			for place := range p.Places {
				a, b := p.State[place*p.Stride:][:rows], want.State[place*p.Stride:][:rows]
				if !bytes.Equal(a, b) {
					t.Fatalf("case %d, step %d, place %d: %v, want %v", i, step, place, a, b)
				}
			}
		}
	}
}

func TestSpins(t *testing.T) { testSpins(t, (*Spins).Sweep) }

// A limit is the largest number for which Bern is true.
func TestLimit(t *testing.T) {
	for sum := int32(-30); sum <= 30; sum++ {
		for _, scale := range []float32{0, .01, .3, 1, 2.6} {
			x := float32(float32(sum) * scale)
			r := Limit(sum, scale)
			if !Bern(r, x) || r != 1<<32-1 && Bern(r+1, x) || !Bern(0, x) {
				t.Fatalf("Limit = %d is wrong for logit %v", r, x)
			}
		}
	}
}

// Words are those of each row's stream.
func TestRowWords(t *testing.T) {
	var w RowWords
	for _, n := range []int{1, 8, 21, 3} {
		at := rng.At{Key: rng.NewKey(3, "words", n), Phase: 2, Slot: 1<<32 - 2, Step: 9}
		w.Open(at, n)
		for range 3 {
			w.More()
		}
		for r := range n {
			s := at.Row(r)
			for range 2 {
				s.Block()
			}
			for k := range 4 {
				if want := s.Uint32(); w.Of(k)[r] != want {
					t.Fatalf("word %d of row %d is %08x, want %08x", k, r, w.Of(k)[r], want)
				}
			}
		}
	}
}
