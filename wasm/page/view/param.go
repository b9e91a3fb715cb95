package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// param is the control of a parameter: a field or menu and, for main numeric parameters, a slider.
func (p *page) param(method string, q spec.Param, value string, main bool) html.HTML {
	key := q.Name
	if method != "" {
		key = method + "." + key
	}
	if q.Name == state.ScheduleParam {
		return p.scheduleField(method, key, value)
	}
	if p.Panels.Sliding.Key == key {
		value = p.Panels.Sliding.Value
	}

	// A choice or a number.
	id := "p-" + key
	name := strings.ReplaceAll(q.Name, "_", " ")
	name = p.w.Plain(strings.ToUpper(name[:1]) + name[1:])
	var control, list html.HTML
	x, _ := strconv.ParseFloat(value, 64)
	if q.Type == "choice" {
		var options []html.HTML
		for _, c := range q.Choices {
			options = append(options, html.El("option", html.At("value", c, "selected", html.When(c == value)), html.Text(c)))
		}
		control = html.El("select", html.At("id", id, "data-param", key, "aria-describedby", id+"-help"), options...)
	} else {
		mode := map[string]string{"int": "numeric", "float": "decimal"}[q.Type]
		bounds := html.Absent
		if q.Max > q.Min {
			bounds = p.w.T("from.to", p.Count(q.Min), p.Count(q.Max))
		}
		if q.Type == "int" && method != "" && x >= 1000 {
			value = p.Count(x)
		}
		control = html.El(`input type="text" autocomplete="off" spellcheck="false"`,
			html.At("id", id, "data-param", key, "value", value, "inputmode", mode, "title", bounds, "aria-describedby",
				id+"-help"))
	}

	// A main number has a slider.
	children := []html.HTML{html.El("label", html.At("for", id), html.Text(name)), control, list}
	if main {
		children = append(children, html.El(`input type="range" min="0" max="100"`,
			html.At("data-slide", key, "value", fmt.Sprint(sliderPosition(q, x)), "aria-label", state.Label(method)+" "+name,
				"aria-valuetext", value)),
			html.El(`p class="vh"`, html.At("id", id+"-help"), html.Text(p.w.Phrase(q.Help))))
		return html.El(`div class="param slide"`, html.At("data-key", key+" main"), children...)
	}
	children = append(children, html.El(`p class="why"`, html.At("id", id+"-help"), html.Text(p.w.Phrase(q.Help))))
	if q.Name == state.PriorParam && method != "" && p.VisitPlanMethod(method) != "" && scene.On(p.Snapshot) != scene.Travel {
		children = append(children, html.Button("", "scene", scene.Travel.Name, html.Text(p.w.T("schedule.draw"))))
	}
	return html.El(`div class="param"`, html.At("data-type", q.Type, "data-key", key), children...)
}

// sliderRange returns the range of a slider: from 1/50 of the default to 50 times the default, within the limits of the
// parameter.
func sliderRange(q spec.Param) (lo, hi float64) {
	d, _ := strconv.ParseFloat(q.Default, 64)
	d = max(d, 1)
	return max(q.Min, math.Floor(d/50), 2), min(q.Max, d*50)
}

// sliderPosition returns the position of a value on its logarithmic slider, 0 to 100.
func sliderPosition(q spec.Param, x float64) int {
	lo, hi := sliderRange(q)
	return int(math.Round(100 * math.Log(min(max(x, lo), hi)/lo) / math.Log(hi/lo)))
}

// SliderValue returns the value at a position of the slider, rounded to two significant figures.
func SliderValue(q spec.Param, pos int) float64 {
	lo, hi := sliderRange(q)
	x := lo * math.Pow(hi/lo, float64(pos)/100)
	unit := math.Pow(10, max(math.Floor(math.Log10(x))-1, 0))
	return min(max(math.Round(x/unit)*unit, lo), hi)
}
