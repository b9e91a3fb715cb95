package render

import "logzlab/core/frame"

// shows are pictures to look at, by name: the scene and its frames.
var shows = map[string]func() (string, []*frame.Frame){
	"plane":         func() (string, []*frame.Frame) { return "plane", annealed(400, 0.62) },
	"planethousand": func() (string, []*frame.Frame) { return "plane", annealed(1000, 1) },
	"planerts":      func() (string, []*frame.Frame) { return "plane", wandering(100) },
	"planetwo":      func() (string, []*frame.Frame) { return "plane", append(annealed(400, 1), wandering(100)[1:]...) },
	"planeempty":    func() (string, []*frame.Frame) { return "plane", annealed(1, 0)[:1] },
	"planeturn":     func() (string, []*frame.Frame) { return "plane", inTurn(400, 16) },
	"ladderturn":    func() (string, []*frame.Frame) { return "ladder", inTurn(400, 16) },
	"planebare":     func() (string, []*frame.Frame) { return "plane", []*frame.Frame{hills(100)} },
	"ladder":        func() (string, []*frame.Frame) { return "ladder", climbing(24, 14) },
	"laddermany":    func() (string, []*frame.Frame) { return "ladder", climbing(300, 180) },
	"ladderais":     func() (string, []*frame.Frame) { return "ladder", annealed(400, 0.62) },
	"ladderopen": func() (string, []*frame.Frame) {
		fs := climbing(24, 14)
		for i := range fs[len(fs)-1].Ladders {
			fs[len(fs)-1].Ladders[i].Exact = nil
		}
		return "ladder", append(annealed(400, 1)[1:], fs...)
	},
	"overlaps":     func() (string, []*frame.Frame) { return "overlaps", overlapping(24, 14) },
	"overlapsfew":  func() (string, []*frame.Frame) { return "overlaps", overlapping(8, 5) },
	"overlapsmany": func() (string, []*frame.Frame) { return "overlaps", overlapping(300, 180) },
	"overlapstwo": func() (string, []*frame.Frame) {
		other, fs := overlapping(12, 4), overlapping(24, 14)
		last := fs[len(fs)-1]
		for _, f := range other {
			f.Method = "ts"
			for _, l := range f.Ladders {
				l.Method = "ts"
				last.Ladders = append(last.Ladders, l)
			}
		}
		last.Curves = append(last.Curves, frame.Curve{Method: "ts"})
		return "overlaps", append(other[:len(other)-1], fs...)
	},
	"trips":      func() (string, []*frame.Frame) { return "trips", travelling(24, 14) },
	"tripsmany":  func() (string, []*frame.Frame) { return "trips", travelling(300, 180) },
	"heat":       func() (string, []*frame.Frame) { return "heat", travelling(24, 14) },
	"heatmany":   func() (string, []*frame.Frame) { return "heat", travelling(300, 180) },
	"visits":     func() (string, []*frame.Frame) { return "visits", travelling(24, 14) },
	"visitsmany": func() (string, []*frame.Frame) { return "visits", travelling(300, 180) },
	"plan": func() (string, []*frame.Frame) {
		return "visits", append(travelling(24, 14), planning("exp:2", 24))
	},
	"planfirst": func() (string, []*frame.Frame) {
		return "visits", []*frame.Frame{planning("weights:1_1_1_1_2_4_4_2_1", 100)}
	},
	"plandrag": func() (string, []*frame.Frame) {
		return "visits", append(travelling(300, 180), planning("uniform", 300))
	},
	"means":         func() (string, []*frame.Frame) { return "means", []*frame.Frame{averaged(28, 28, true)} },
	"meansfirst":    func() (string, []*frame.Frame) { return "means", []*frame.Frame{averaged(28, 28, false)} },
	"rounds":        func() (string, []*frame.Frame) { return "rounds", guessing("rts", 24, 8, true) },
	"weights":       func() (string, []*frame.Frame) { return "weights", adapting() },
	"schedule":      func() (string, []*frame.Frame) { return "schedule", []*frame.Frame{annealing("linear", true)} },
	"schedulebest":  func() (string, []*frame.Frame) { return "schedule", []*frame.Frame{annealing("varopt", true)} },
	"schedulefirst": func() (string, []*frame.Frame) { return "schedule", []*frame.Frame{annealing("power:3", false)} },
	"schedulehand": func() (string, []*frame.Frame) {
		return "schedule", []*frame.Frame{annealing("betas:0.01_0.03_0.06_0.1_0.2_0.4_0.6_0.7_0.995", true)}
	},
	"scheduledrag": func() (string, []*frame.Frame) { return "schedule", []*frame.Frame{annealing("linear", true)} },
	"lab":          func() (string, []*frame.Frame) { return "lab", []*frame.Frame{noised(.06)} },
	"labis":        func() (string, []*frame.Frame) { return "lab", []*frame.Frame{noised(1)} },
	"labfirst":     func() (string, []*frame.Frame) { return "lab", []*frame.Frame{untimed()} },
	"crowd":        func() (string, []*frame.Frame) { return "trace", crowd(true) },
	"crowdlive":    func() (string, []*frame.Frame) { return "trace", crowd(false) },
	"film":         func() (string, []*frame.Frame) { return "units", condensing(100, 28, 28, 0.94) },
	"filmearly":    func() (string, []*frame.Frame) { return "units", condensing(20, 16, 16, 0.5) },
	"filmrts": func() (string, []*frame.Frame) {
		var fs []*frame.Frame
		for i := range 30 {
			f := rings("rts", 0, 40, 28, 28, true)
			f.Rungs, f.Rung = 24, make([]int32, 40)
			for k := range f.Beta {
				f.Beta[k] = float32(i*7%24+k) / 23
				for f.Beta[k] > 1 {
					f.Beta[k]--
				}
			}
			fs = append(fs, f)
		}
		return "units", fs
	},
	"lattice": func() (string, []*frame.Frame) { return "units", []*frame.Frame{rings("rts", 0, 100, 16, 16, true)} },
	"wall": func() (string, []*frame.Frame) {
		return "units", []*frame.Frame{rings("ais", 0, 100, 28, 28, false), rings("rts", 0, 100, 28, 28, true)}
	},
	"form": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 100, islands: 4, stages: 784, to: 452, w: 28, h: 28, every: 3, exact: true,
			method: "arm"})
	},
	"formmany": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 1000, islands: 4, stages: 784, to: 452, w: 28, h: 28, every: 3, exact: true,
			method: "arm"})
	},
	"formall": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 100, islands: 4, stages: 784, to: 300, w: 28, h: 28, every: 6, exact: true,
			method: "arm"})
	},
	"formfollow": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 100, islands: 4, stages: 784, to: 390, w: 28, h: 28, every: 4, method: "arm"})
	},
	"formback": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 60, islands: 4, stages: 784, to: 160, w: 28, h: 28, exact: true, method: "arm"})
	},
	"formslow": func() (string, []*frame.Frame) {
		return "formation", until("resample", formed(run{R: 20, islands: 4, stages: 784, to: 200, w: 28, h: 28, exact: true,
			method: "arm"}))
	},
	"formpop": func() (string, []*frame.Frame) {
		return "formation", until("augment", formed(run{R: 20, islands: 4, stages: 256, to: 61, w: 16, h: 16, exact: true,
			method: "arm"}))
	},
	"formmove": func() (string, []*frame.Frame) {
		return "formation", until("move", formed(run{R: 24, islands: 4, stages: 784, to: 161, w: 28, h: 28, exact: true,
			method: "arm"}))
	},
	"funcline":  func() (string, []*frame.Frame) { return "function", learning(1, 60, 50, 34) },
	"funcpick":  func() (string, []*frame.Frame) { return "function", learning(1, 60, 50, 34) },
	"funcearly": func() (string, []*frame.Frame) { return "function", learning(1, 100, 30, 2) },
	"funcplane": func() (string, []*frame.Frame) { return "function", learning(2, 40, 80, 60) },
	"funcalbum": func() (string, []*frame.Frame) { return "function", learning(0, 40, 100, 70) },
	"funcmany":  func() (string, []*frame.Frame) { return "function", learning(0, 10, 800, 600) },
	"funcchains": func() (string, []*frame.Frame) {
		fs := learning(1, 10, 40, 40)[39:]
		f := fs[0]
		f.Growth, f.Method, f.Phase, f.Rungs = nil, "ais", "forward", 100
		for range f.N {
			f.Rung, f.Beta = append(f.Rung, 60), append(f.Beta, 0.6)
		}
		return "function", fs
	},
	"seriessv":    func() (string, []*frame.Frame) { return "series", real()["sv"] },
	"serieslgssm": func() (string, []*frame.Frame) { return "series", real()["lgssm"] },
	"serieslong":  func() (string, []*frame.Frame) { return "series", real()["long"] },
	"train":       func() (string, []*frame.Frame) { return "training", schooled() },
	"trainover": func() (string, []*frame.Frame) {
		return "training", []*frame.Frame{overtrained(2500, 28, 28, 784, 36)}
	},
	"trainfirst": func() (string, []*frame.Frame) {
		return "training", []*frame.Frame{overtrained(20, 28, 28, 784, 20)}
	},
	"trainrows": func() (string, []*frame.Frame) {
		return "training", []*frame.Frame{overtrained(1200, 14, 13, 180, 30)}
	},
	"postsv":     func() (string, []*frame.Frame) { return "posterior", real()["sv"] },
	"posthalf":   func() (string, []*frame.Frame) { return "posterior", real()["sv"][:8] },
	"postlinreg": func() (string, []*frame.Frame) { return "posterior", real()["linreg"] },
	"postis2":    func() (string, []*frame.Frame) { return "posterior", real()["is2"] },
	"formlate": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 1000, islands: 4, stages: 784, to: 784, w: 28, h: 28, every: 9, method: "rm"})
	},
	"formfew": func() (string, []*frame.Frame) {
		return "formation", formed(run{R: 4, islands: 1, stages: 8, to: 6, w: 4, h: 2, exact: true, method: "arm"})
	},
	"trace": func() (string, []*frame.Frame) { return "trace", []*frame.Frame{histories(true, "ais", "rts")} },
	"live":  func() (string, []*frame.Frame) { return "trace", []*frame.Frame{histories(false, "ais", "rts", "is")} },
	"empty": func() (string, []*frame.Frame) { return "units", nil },
}

// until are the frames up to the last one of a phase.
func until(phase string, fs []*frame.Frame) []*frame.Frame {
	for len(fs) > 0 && (fs[len(fs)-1].Phase != phase || fs[len(fs)-1].First > 0) {
		fs = fs[:len(fs)-1]
	}
	return fs
}

// sizes are the canvases of the page: desktop, tablet, phone, projector.
var sizes = [...]struct {
	name        string
	w, h, scale float64
	themes      []string
}{
	{"desktop", 704, 456, 2, []string{"light", "dark"}},
	{"tall", 704, 620, 2, []string{"light", "dark"}},
	{"tablet", 536, 536, 2, []string{"light", "dark"}},
	{"phone", 390, 456, 2, []string{"light", "dark"}},
	{"small", 390, 300, 2, []string{"light", "dark"}},
	{"mid", 768, 480, 1, []string{"light", "dark"}},
	{"wide", 1280, 720, 1, []string{"light", "dark"}},
	{"projector", 1000, 620, 1, []string{"projector"}},
	{"slide", 341, 300, 2.4, []string{"light"}}, // of a lecture in 16:9
}
