package rendertest

import "logzlab/core/frame"

// Show is a scene with its frames.
type Show struct {
	Scene  string
	Frames func() []*frame.Frame
}

// Shows are all test pictures, by name.
var Shows = map[string]Show{
	"plane":         {"plane", func() []*frame.Frame { return AnnealedRun(400, 0.62) }},
	"planethousand": {"plane", func() []*frame.Frame { return AnnealedRun(1000, 1) }},
	"planerts":      {"plane", func() []*frame.Frame { return TemperingRun(100) }},
	"planetwo":      {"plane", func() []*frame.Frame { return append(AnnealedRun(400, 1), TemperingRun(100)[1:]...) }},
	"planeempty":    {"plane", func() []*frame.Frame { return AnnealedRun(1, 0)[:1] }},
	"planeturn":     {"plane", func() []*frame.Frame { return laneByLaneRun(400, 16) }},
	"ladderturn":    {"ladder", func() []*frame.Frame { return laneByLaneRun(400, 16) }},
	"planebare":     {"plane", func() []*frame.Frame { return []*frame.Frame{MixturePoints(100)} }},
	"chain":         {"chain", ChainRun},
	"chainall":      {"chain", ChainRun},
	"ladder":        {"ladder", func() []*frame.Frame { return LadderRun(24, 14) }},
	"laddermany":    {"ladder", func() []*frame.Frame { return LadderRun(300, 180) }},
	"ladderais":     {"ladder", func() []*frame.Frame { return AnnealedRun(400, 0.62) }},
	"ladderopen": {"ladder", func() []*frame.Frame {
		fs := LadderRun(24, 14)
		for i := range fs[len(fs)-1].Ladders {
			fs[len(fs)-1].Ladders[i].Exact = nil
		}
		return append(AnnealedRun(400, 1)[1:], fs...)
	}},
	"travel":     {"travel", func() []*frame.Frame { return TravelFrames(24, 14) }},
	"travelgood": {"travel", func() []*frame.Frame { return TravelFrames(24, -9) }},
	"travelmany": {"travel", func() []*frame.Frame { return TravelFrames(300, 180) }},
	"travelfew":  {"travel", func() []*frame.Frame { return LadderRunOverlaps(8, 5) }},
	"traveltwo": {"travel", func() []*frame.Frame {
		other, fs := LadderRunOverlaps(12, 4), LadderRunOverlaps(24, 14)
		last := fs[len(fs)-1]
		for _, f := range other {
			f.Method = "ts"
			for _, l := range f.Ladders {
				l.Method = "ts"
				last.Ladders = append(last.Ladders, l)
			}
		}
		last.Curves = append(last.Curves, frame.Curve{Method: "ts"})
		return append(other[:len(other)-1], fs...)
	}},
	"plan": {"travel", func() []*frame.Frame {
		return append(TravelFrames(24, 14), PlanFrame("exp:2", 24))
	}},
	"planfirst": {"travel", func() []*frame.Frame {
		return []*frame.Frame{PlanFrame("weights:1_1_1_1_2_4_4_2_1", 100)}
	}},
	"plandrag": {"travel", func() []*frame.Frame {
		return append(TravelFrames(300, 180), PlanFrame("uniform", 300))
	}},
	"means":         {"means", func() []*frame.Frame { return []*frame.Frame{MeansFrame(28, 28, true)} }},
	"meansfirst":    {"means", func() []*frame.Frame { return []*frame.Frame{MeansFrame(28, 28, false)} }},
	"weightsrounds": {"weights", func() []*frame.Frame { return GuessFrames("rts", 24, 8, true) }},
	"weights":       {"weights", func() []*frame.Frame { return AdaptiveGuesses() }},
	"schedule":      {"schedule", func() []*frame.Frame { return []*frame.Frame{ScheduleFrame("linear", true)} }},
	"schedulebest":  {"schedule", func() []*frame.Frame { return []*frame.Frame{ScheduleFrame("varopt", true)} }},
	"schedulefirst": {"schedule", func() []*frame.Frame { return []*frame.Frame{ScheduleFrame("power:3", false)} }},
	"schedulehand": {"schedule", func() []*frame.Frame {
		return []*frame.Frame{ScheduleFrame("betas:0.01_0.03_0.06_0.1_0.2_0.4_0.6_0.7_0.995", true)}
	}},
	"scheduledrag": {"schedule", func() []*frame.Frame { return []*frame.Frame{ScheduleFrame("linear", true)} }},
	"lab":          {"lab", func() []*frame.Frame { return []*frame.Frame{NoiseFrame(.06)} }},
	"labis":        {"lab", func() []*frame.Frame { return []*frame.Frame{NoiseFrame(1)} }},
	"labfirst":     {"lab", func() []*frame.Frame { return []*frame.Frame{untimedNoiseFrame()} }},
	"race":         {"race", RaceFrames},
	"racehalf":     {"race", RaceFrames},
	"crowd":        {"trace", func() []*frame.Frame { return NineMethods(true) }},
	"crowdlive":    {"trace", func() []*frame.Frame { return NineMethods(false) }},
	"film":         {"units", func() []*frame.Frame { return ringRun(100, 28, 28, 0.94) }},
	"filmearly":    {"units", func() []*frame.Frame { return ringRun(20, 16, 16, 0.5) }},
	"filmrts": {"units", func() []*frame.Frame {
		var fs []*frame.Frame
		for i := range 30 {
			f := Rings("rts", 0, 40, 28, 28, true)
			f.Rungs, f.Rung = 24, make([]int32, 40)
			for k := range f.Beta {
				f.Beta[k] = float32(i*7%24+k) / 23
				for f.Beta[k] > 1 {
					f.Beta[k]--
				}
			}
			fs = append(fs, f)
		}
		return fs
	}},
	"graph":   {"graph", LatticeRun},
	"lattice": {"units", func() []*frame.Frame { return []*frame.Frame{Rings("rts", 0, 100, 16, 16, true)} }},
	"wall": {"units", func() []*frame.Frame {
		return []*frame.Frame{Rings("ais", 0, 100, 28, 28, false), Rings("rts", 0, 100, 28, 28, true)}
	}},
	"form": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 100, Islands: 4, Stages: 784, To: 452, W: 28, H: 28, Every: 3, Exact: true,
			Method: "arm"})
	}},
	"formmany": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 1000, Islands: 4, Stages: 784, To: 452, W: 28, H: 28, Every: 3, Exact: true,
			Method: "arm"})
	}},
	"formall": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 100, Islands: 4, Stages: 784, To: 300, W: 28, H: 28, Every: 6, Exact: true,
			Method: "arm"})
	}},
	"formfollow": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 100, Islands: 4, Stages: 784, To: 390, W: 28, H: 28, Every: 4, Method: "arm"})
	}},
	"formback": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 60, Islands: 4, Stages: 784, To: 160, W: 28, H: 28, Exact: true, Method: "arm"})
	}},
	"formslow": {"formation", func() []*frame.Frame {
		return framesUntil("resample", ResampleMoveRun(Run{R: 20, Islands: 4, Stages: 784, To: 200, W: 28, H: 28, Exact: true,
			Method: "arm"}))
	}},
	"formpop": {"formation", func() []*frame.Frame {
		return framesUntil("augment", ResampleMoveRun(Run{R: 20, Islands: 4, Stages: 256, To: 61, W: 16, H: 16, Exact: true,
			Method: "arm"}))
	}},
	"formmove": {"formation", func() []*frame.Frame {
		return framesUntil("move", ResampleMoveRun(Run{R: 24, Islands: 4, Stages: 784, To: 161, W: 28, H: 28, Exact: true,
			Method: "arm"}))
	}},
	"funcline":  {"function", func() []*frame.Frame { return ClassificationRun(1, 60, 50, 34) }},
	"funcpick":  {"function", func() []*frame.Frame { return ClassificationRun(1, 60, 50, 34) }},
	"funcearly": {"function", func() []*frame.Frame { return ClassificationRun(1, 100, 30, 2) }},
	"funcplane": {"function", func() []*frame.Frame { return ClassificationRun(2, 40, 80, 60) }},
	"funcalbum": {"function", func() []*frame.Frame { return ClassificationRun(0, 40, 100, 70) }},
	"funcmany":  {"function", func() []*frame.Frame { return ClassificationRun(0, 10, 800, 600) }},
	"funcchains": {"function", func() []*frame.Frame {
		fs := ClassificationRun(1, 10, 40, 40)[39:]
		f := fs[0]
		f.Growth, f.Method, f.Phase, f.Rungs = nil, "ais", "forward", 100
		for range f.N {
			f.Rung, f.Beta = append(f.Rung, 60), append(f.Beta, 0.6)
		}
		return fs
	}},
	"seriessv":    {"series", func() []*frame.Frame { return RealRuns()["sv"] }},
	"serieslgssm": {"series", func() []*frame.Frame { return RealRuns()["lgssm"] }},
	"serieslong":  {"series", func() []*frame.Frame { return RealRuns()["long"] }},
	"train":       {"training", func() []*frame.Frame { return TrainingRun() }},
	"trainover": {"training", func() []*frame.Frame {
		return []*frame.Frame{OvertrainedFrame(2500, 28, 28, 784, 36)}
	}},
	"trainfirst": {"training", func() []*frame.Frame {
		return []*frame.Frame{OvertrainedFrame(20, 28, 28, 784, 20)}
	}},
	"trainrows": {"training", func() []*frame.Frame {
		return []*frame.Frame{OvertrainedFrame(1200, 14, 13, 180, 30)}
	}},
	"postsv":     {"posterior", func() []*frame.Frame { return RealRuns()["sv"] }},
	"posthalf":   {"posterior", func() []*frame.Frame { return RealRuns()["sv"][:8] }},
	"postlinreg": {"posterior", func() []*frame.Frame { return RealRuns()["linreg"] }},
	"postis2":    {"posterior", func() []*frame.Frame { return RealRuns()["is2"] }},
	"formlate": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 1000, Islands: 4, Stages: 784, To: 784, W: 28, H: 28, Every: 9, Method: "rm"})
	}},
	"formfew": {"formation", func() []*frame.Frame {
		return ResampleMoveRun(Run{R: 4, Islands: 1, Stages: 8, To: 6, W: 4, H: 2, Exact: true, Method: "arm"})
	}},
	"trace": {"trace", func() []*frame.Frame { return []*frame.Frame{Histories(true, "ais", "rts")} }},
	"last":  {"trace", func() []*frame.Frame { return []*frame.Frame{Histories(true, "ais")} }},
	"lasts": {"trace", func() []*frame.Frame { return []*frame.Frame{Histories(true, "ais", "rts")} }},
	"live":  {"trace", func() []*frame.Frame { return []*frame.Frame{Histories(false, "ais", "rts", "is")} }},
	"empty": {"units", func() []*frame.Frame { return nil }},
}

// framesUntil returns the frames up to the last one of a phase.
func framesUntil(phase string, fs []*frame.Frame) []*frame.Frame {
	for len(fs) > 0 && (fs[len(fs)-1].Phase != phase || fs[len(fs)-1].First > 0) {
		fs = fs[:len(fs)-1]
	}
	return fs
}

// Sizes are the canvases of the page: desktop, tablet, phone, projector.
var Sizes = [...]struct {
	Name        string
	W, H, Scale float64
	Themes      []string
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
