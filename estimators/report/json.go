package report

import (
	"logzlab/core/json"
	"logzlab/core/spec"
)

// The JSON of each type has the names of its struct tags, in their order
// (TestJSONAsTagged).

// JSON is one object, or an array where there are several methods.
func JSON(reports []*Report) []byte {
	var w json.Writer
	if len(reports) == 1 {
		reports[0].put(&w)
	} else {
		json.PutList(&w, reports, func(r *Report) { r.put(&w) })
	}
	return w.Bytes()
}

func (r *Report) put(w *json.Writer) {
	number := func(x Number) { w.Number(float64(x)) }
	text := func(s string) { w.Text(s) }
	w.Object().Key("v").Int(r.V)
	w.Key("spec").Object().Key("model").Text(r.Spec.Model).Key("method").Text(r.Spec.Method).Key("seed").Int(int(r.Spec.Seed)).
		Key("replicates").Int(r.Spec.Replicates).Key("params")
	json.PutMap(w, r.Spec.Params, text)
	w.EndObject().Key("link").Text(r.Link).Key("model").Text(r.Model).Key("method").Text(r.Method).Key("seed").Int(int(r.Seed)).
		Key("logz").Number(float64(r.LogZ)).Key("se").Number(float64(r.SE)).Key("se_method").Text(r.SEMethod).Key("bias").Text(r.Bias).
		Key("lower").Number(float64(r.Lower)).Key("upper").Number(float64(r.Upper)).Key("truth")
	if t := r.Truth; t != nil {
		w.Object().Key("logz").Number(t.LogZ).Key("source").Text(t.Source).EndObject()
	} else {
		w.Null()
	}
	if r.Hint != "" {
		w.Key("hint").Text(r.Hint)
	}
	w.Key("ladder")
	json.PutList(w, r.Ladder, func(k ReportRung) {
		w.Object().Key("beta").Number(float64(k.Beta)).Key("logz").Number(float64(k.LogZ)).Key("se").Number(float64(k.SE)).EndObject()
	})
	if len(r.Stages) > 0 {
		w.Key("stages")
		json.PutList(w, r.Stages, func(s ReportStage) {
			w.Object().Key("n").Int(s.N).Key("logz").Number(float64(s.LogZ)).Key("R").Number(float64(s.R)).
				Key("ess").Number(float64(s.ESS)).Key("gamma").Number(float64(s.Gamma)).EndObject()
		})
	}
	w.Key("cost").Object().Key("sweeps").Number(float64(r.Cost.Sweeps)).Key("evaluations").Number(float64(r.Cost.Evaluations)).
		Key("seconds").Number(float64(r.Cost.Seconds)).EndObject().Key("diagnostics")
	json.PutMap(w, r.Diagnostics, number)
	w.Key("flags")
	json.PutList(w, r.Flags, text)
	w.Key("verdict")
	if v := r.Verdict; v != nil {
		w.Object().Key("level").Text(v.Level).Key("checks")
		json.PutList(w, v.Checks, func(c VerdictCheck) {
			w.Object().Key("name").Text(c.Name).Key("value").Number(float64(c.Value)).Key("needs").Text(c.Needs).
				Key("ok").Bool(c.OK).Key("means").Text(c.Means).Key("do").Text(c.Do).EndObject()
		})
		w.EndObject()
	} else {
		w.Null()
	}
	if len(r.Replicates) > 0 {
		w.Key("replicates")
		json.PutList(w, r.Replicates, number)
	}
	if len(r.ReplicateSE) > 0 {
		w.Key("replicate_se")
		json.PutList(w, r.ReplicateSE, number)
	}
	if s := r.Summary; s != nil {
		w.Key("summary").Object().Key("mean").Number(float64(s.Mean)).Key("sd").Number(float64(s.SD)).
			Key("log_mean_exp").Number(float64(s.LogMeanExp)).Key("rms_z").Number(float64(s.RMSZ)).EndObject()
	}
	w.Key("hash").Text(r.Hash).EndObject()
}

// JSON is the listing as `list -json` prints it.
func (l Listing) JSON() []byte {
	var w json.Writer
	params := func(list []spec.Param) {
		w.Key("params")
		json.PutList(&w, list, func(p spec.Param) {
			w.Object().Key("name").Text(p.Name).Key("type").Text(p.Type).Key("default").Text(p.Default).Key("min").Number(p.Min).Key("max").Number(p.Max)
			if len(p.Choices) > 0 {
				w.Key("choices")
				json.PutList(&w, p.Choices, func(s string) { w.Text(s) })
			}
			w.Key("help").Text(p.Help).EndObject()
		})
	}
	w.Object().Key("models")
	json.PutList(&w, l.Models, func(m ListedModel) {
		w.Object().Key("name").Text(m.Name).Key("kind").Text(m.Kind).Key("truth").Text(m.Truth).Key("about").Text(m.About)
		params(m.Params)
		w.EndObject()
	})
	w.Key("methods")
	json.PutList(&w, l.Methods, func(m ListedMethod) {
		w.Object().Key("name").Text(m.Name).Key("about").Text(m.About)
		params(m.Params)
		w.EndObject()
	})
	return w.EndObject().Bytes()
}

// CheckJSON is what `check -json` prints.
func CheckJSON(results []GoldenResult) []byte {
	var w json.Writer
	json.PutList(&w, results, func(g GoldenResult) {
		w.Object().Key("link").Text(g.Link).Key("logz_hex").Text(g.LogZ).Key("hash").Text(g.Hash).Key("ok").Bool(g.OK)
		if g.Problem != "" {
			w.Key("problem").Text(g.Problem)
		}
		w.EndObject()
	})
	return w.Bytes()
}
