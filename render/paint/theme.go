package paint

import (
	"image/color"
	"math"
)

// Theme is a set of colours. Beta runs from hot (inverse temperature 0) to cold (1) and away from the ground, so that
// the target is most visible.
type Theme struct {
	Dark                     bool
	Ground                   color.RGBA
	Ink, Ink2, Ink3          color.RGBA    // text and exact values, secondary text, ticks
	Line, Line2              color.RGBA    // grid, axes
	Absent                   color.RGBA    // a cell that does not exist (yet)
	Track                    color.RGBA    // an empty tile
	Caution                  color.RGBA    // the sign of a failed check
	Followed                 color.RGBA    // the particle that the viewer follows
	Grey                     color.RGBA    // mixed with Ground to shade a density
	Methods                  [9]color.RGBA // distinguishable from each other and from Ink with all kinds of colour vision
	Beta                     [9]color.RGBA
	BandAlpha, SandwichAlpha float64
	CrowdAlpha               float64 // opacity of one of many lines
	Stroke                   float64 // factor on the width of data lines
	Zoom                     float64 // default factor on all sizes
}

// Light, Dark and Projector are the themes of the page.
var (
	Light = Theme{
		Ground: hex(0xffffff), Ink: hex(0x14181d), Ink2: hex(0x48505a), Ink3: hex(0x646c76),
		Line: hex(0xdde0e4), Line2: hex(0x868e98), Absent: hex(0xcdd2d8),
		Methods: [9]color.RGBA{hex(0x1f74d4), hex(0xc4680c), hex(0x6b2150), hex(0xf33b8e), hex(0x073e07), hex(0x4911df),
			hex(0x61530a), hex(0x511a9a), hex(0x933a69)},
		Beta: [9]color.RGBA{hex(0xd97d02), hex(0xe15a2a), hex(0xd73e54), hex(0xc02d75), hex(0xa1278e),
			hex(0x7c2498), hex(0x552293), hex(0x332078), hex(0x191b53)},
		Track: hex(0xeaecef), Caution: hex(0xc27800), Followed: hex(0xe8590c), Grey: hex(0x3d5a73),
		BandAlpha: 0.13, SandwichAlpha: 0.07, CrowdAlpha: 0.10, Stroke: 1, Zoom: 1,
	}
	Dark = Theme{
		Dark:   true,
		Ground: hex(0x111417), Ink: hex(0xeceff2), Ink2: hex(0xb5bcc4), Ink3: hex(0x919aa3),
		Line: hex(0x2a3036), Line2: hex(0x717a84), Absent: hex(0x3a4148),
		Methods: [9]color.RGBA{hex(0x4a9ff5), hex(0xd9803a), hex(0xf2aad0), hex(0x99f72a), hex(0xd81227), hex(0x06785d),
			hex(0x8030fe), hex(0xad76a4), hex(0xba16a9)},
		Beta: [9]color.RGBA{hex(0xc9651f), hex(0xd65c42), hex(0xdd6076), hex(0xdd68a6), hex(0xd682d2),
			hex(0xc89ef3), hex(0xbbbafe), hex(0xb9d4fe), hex(0xc5ebff)},
		Track: hex(0x252b31), Caution: hex(0xf0b64a), Followed: hex(0xff9a3c), Grey: hex(0xa9bccd),
		BandAlpha: 0.20, SandwichAlpha: 0.10, CrowdAlpha: 0.13, Stroke: 1, Zoom: 1,
	}
	Projector = projector()
)

// projector returns the light theme with more contrast, thicker lines and larger text.
func projector() Theme {
	t := Light
	t.Ink, t.Ink2, t.Ink3 = hex(0x000000), hex(0x20262c), hex(0x3d454d)
	t.Line, t.Line2, t.Absent = hex(0xc3c9cf), hex(0x5a626b), hex(0xb9c0c7)
	t.Track, t.Caution = hex(0xe2e5e9), hex(0xc77c00)
	t.Methods = [9]color.RGBA{hex(0x0b5fc2), hex(0xad5600), hex(0x571640), hex(0xfe3180), hex(0x0698b3), hex(0x8e2612),
		hex(0x3e0883), hex(0x6a3c6d), hex(0x340618)}
	t.CrowdAlpha, t.Stroke, t.Zoom = 0.14, 1.6, 1.375
	return t
}

// Themes contains the themes by the names that the page uses.
var Themes = map[string]*Theme{"light": &Light, "dark": &Dark, "projector": &Projector}

// Contours are the contours of a density in nats below its peak; shades are the fractions of grey inside each.
var (
	Contours = [...]float64{0.35, 1, 2, 3.2, 4.8, 7}
	shades   = [...]float64{0.30, 0.225, 0.165, 0.115, 0.072, 0.036}
)

// Shade returns the colour inside contour k.
func (t *Theme) Shade(k int, deep bool) color.RGBA {
	f := 0.92
	if t.Dark {
		f = 1.05
	}
	if deep {
		f *= 2.4
	}
	return Mix(t.Ground, t.Grey, f*shades[k])
}

// ContourLine returns the colour of contour lines.
func (t *Theme) ContourLine() color.RGBA {
	if t.Dark {
		return Mix(t.Ground, t.Grey, 0.46)
	}
	return Mix(t.Ground, t.Grey, 0.40)
}

func hex(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// BetaColor returns the colour of an inverse temperature, interpolated in sRGB. Values outside [0, 1] are clamped; NaN
// is Absent.
func (t *Theme) BetaColor(beta float64) color.RGBA {
	if math.IsNaN(beta) {
		return t.Absent
	}
	last := len(t.Beta) - 1
	x := min(max(beta, 0), 1) * float64(last)
	i := min(int(x), last-1)
	return Mix(t.Beta[i], t.Beta[i+1], x-float64(i))
}

// WeightColor returns the colour of a weight on a scale from -1 to 1: the ground at 0, orange above and blue below it,
// which all kinds of colour vision distinguish, with more contrast for larger weights.
func (t *Theme) WeightColor(x float64) color.RGBA {
	const full = 0.6 // mixed with the ink from here on
	hue := t.Methods[1]
	if x < 0 {
		hue = t.Methods[0]
	}
	if x = min(math.Abs(x), 1); x < full {
		return Mix(t.Ground, hue, x/full)
	}
	return Mix(hue, t.Ink, 0.6*(x-full)/(1-full))
}

// States of a cell of a picture, and their last change.
const (
	CellOff byte = iota
	CellOn
	CellAbsent
	CellWentOn  // since the previous frame
	CellWentOff // since the previous frame
	CellNewOn   // of a row that has just been generated
	CellNewOff
	CellKinds
)

// CellColors returns the colours of cells.
func (t *Theme) CellColors() [CellKinds]color.RGBA {
	eye := t.Methods[0]
	return [CellKinds]color.RGBA{t.Ground, t.Ink, t.Absent, Mix(t.Ink, eye, 0.8), Mix(t.Ground, eye, 0.35), eye,
		Mix(t.Ground, eye, 0.55)}
}

// Method returns the colour of method i. Colours repeat after the ninth.
func (t *Theme) Method(i int) color.RGBA { return t.Methods[i%len(t.Methods)] }

// Mix interpolates from a (t = 0) to b (t = 1).
func Mix(a, b color.RGBA, t float64) color.RGBA {
	f := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

// Fade returns the premultiplied colour c at opacity a.
func Fade(c color.RGBA, a float64) color.RGBA { return Mix(color.RGBA{}, c, a) }
