package view

import (
	"strings"

	"logzlab/core/schedule"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// scheduleField is the control of a schedule: a menu of its kinds, the parameter of the selected kind, and a button
// that opens the picture in which the schedule can be drawn.
func (p *page) scheduleField(method, key, value string) html.HTML {
	id := "p-" + key
	currentKind, arg := state.SplitSchedule(value)
	_, steps := p.ScheduleOf(method)

	// The menu of kinds.
	var options []html.HTML
	for _, choice := range state.Schedules {
		kind, _ := state.SplitSchedule(choice)
		if kind == currentKind {
			choice = value
		} else if choice == state.ByHand {
			choice = schedule.BetasText(schedule.CurveKnots(p.InitialCurve(value, steps)))
		}
		options = append(options, html.El("option", html.At("value", choice, "selected", html.When(kind == currentKind)),
			html.Text(p.w.T("schedule."+kind))))
	}
	children := []html.HTML{html.El("label", html.At("for", id), html.Text(p.w.Plain("Schedule"))),
		html.El("select", html.At("id", id, "data-param", key, "aria-describedby", id+"-help"), options...)}

	// The parameter of the kind.
	if arg != "" {
		word, wide := "schedule.number", html.Absent
		if currentKind == "betas" {
			word, wide = "schedule.list", "wide"
		} else {
			arg = p.Num(arg)
		}
		kindName, _, _ := strings.Cut(value, ":")
		children = append(children, html.El("label", html.At("for", id+"-number"), html.Text(p.w.T(word))),
			html.El(`input type="text" autocomplete="off" spellcheck="false"`, html.At("id", id+"-number", "class", wide,
				"data-param", key+"="+kindName, "value", arg, "aria-describedby", id+"-help")))
	}

	// Help, and the button to the picture.
	why := p.w.T("schedule.why")
	if schedule.NeedsPilot(value) {
		why += " " + p.w.T("schedule.learned")
	}
	children = append(children, html.El(`p class="why"`, html.At("id", id+"-help"), html.Text(why)))
	if p.ScheduleMethod(method) != "" && scene.On(p.Snapshot) != scene.Schedule {
		children = append(children, html.Button("", "scene", scene.Schedule.Name, html.Text(p.w.T("schedule.draw"))))
	}
	return html.El(`div class="param" data-type="schedule"`, html.At("data-key", key), children...)
}
