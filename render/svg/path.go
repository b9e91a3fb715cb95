package svg

import (
	"math"
	"strconv"
	"strings"

	"logzlab/render/paint"
)

// number formats x with at most two decimals.
func number(x float64) string { return hundredths(math.Round(100 * x)) }

// hundredths formats n/100.
func hundredths(n float64) string {
	if n == 0 || math.IsNaN(n) || math.IsInf(n, 0) {
		return "0"
	}
	s := strconv.FormatFloat(n/100, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(s, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(s, "-0."); ok {
		return "-." + rest
	}
	return s
}

// path builds the data of a path element. Points are rounded to hundredths of a unit. Points after the first of a
// subpath are relative to the previous point, which takes fewer bytes.
type path struct {
	b    strings.Builder
	x, y float64 // the current point, in hundredths
	word byte    // the command that a pair of numbers would repeat
}

// pair writes a command with two numbers; a repeated command is omitted.
func (p *path) pair(command byte, x, y float64) {
	if command != p.word {
		p.b.WriteByte(command)
		p.word = command
	} else if x >= 0 {
		p.b.WriteByte(' ')
	}
	p.b.WriteString(hundredths(x))
	if y >= 0 {
		p.b.WriteByte(' ')
	}
	p.b.WriteString(hundredths(y))
}

func (p *path) move(q paint.Point) {
	p.x, p.y = math.Round(100*q.X), math.Round(100*q.Y)
	p.word = 0
	p.pair('M', p.x, p.y)
	p.word = 0
}

func (p *path) line(q paint.Point) {
	x, y := math.Round(100*q.X), math.Round(100*q.Y)
	p.pair('l', x-p.x, y-p.y)
	p.x, p.y = x, y
}

func (p *path) close() {
	p.b.WriteByte('z')
	p.word = 0
}

// polyline appends an open line.
func (p *path) polyline(pts []paint.Point) {
	for i, q := range pts {
		if i == 0 {
			p.move(q)
		} else {
			p.line(q)
		}
	}
}

// polygon appends a closed line.
func (p *path) polygon(pts ...paint.Point) {
	p.polyline(pts)
	p.close()
}

// box appends a rectangle.
func (p *path) box(r paint.Rect) {
	p.move(paint.Pt(r.X, r.Y))
	p.b.WriteString("h" + number(r.W) + "v" + number(r.H) + "h" + number(-r.W) + "z")
}

// point appends a line of length 0, which a round cap turns into a disc.
func (p *path) point(q paint.Point) {
	p.move(q)
	p.b.WriteString("h0")
}

// outline appends the boundary of the union of triangles, three points each. A side shared by two triangles is
// omitted, so that no seam is visible between them.
func (p *path) outline(triangles []paint.Point) {
	type side [2]paint.Point
	sides := map[side]int{}
	var order []side
	for i := 0; i+2 < len(triangles); i += 3 {
		a, b, c := triangles[i], triangles[i+1], triangles[i+2]
		if (b.X-a.X)*(c.Y-a.Y) < (b.Y-a.Y)*(c.X-a.X) {
			b, c = c, b
		}
		for _, s := range [...]side{{a, b}, {b, c}, {c, a}} {
			if back := (side{s[1], s[0]}); sides[back] > 0 {
				sides[back]--
				continue
			}
			sides[s]++
			order = append(order, s)
		}
	}

	// The remaining sides, joined end to end.
	from := map[paint.Point][]paint.Point{}
	for _, s := range order {
		if sides[s] > 0 {
			sides[s]--
			from[s[0]] = append(from[s[0]], s[1])
		}
	}
	for _, s := range order {
		for len(from[s[0]]) > 0 {
			loop := []paint.Point{}
			for at := s[0]; len(from[at]) > 0; {
				loop = append(loop, at)
				next := from[at]
				from[at] = next[:len(next)-1]
				at = next[len(next)-1]
			}
			p.polygon(loop...)
		}
	}
}

func (p *path) String() string { return p.b.String() }
