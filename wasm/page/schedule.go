package page

import (
	"strings"

	"logzlab/core/schedule"
)

// schedules are the kinds of schedules in the order of their menu, each with the value that it begins with.
var schedules = []string{"linear", "power:5", "geometric:0.001", "sigmoid:4", "sm08", "varopt", "varopt:3", "friction",
	"gms13", "adaptive:0.9", byHand}

const byHand = "betas:"

// kindOf is the key of a schedule's words, and its number or list: varopt has two kinds, without a number and with one.
func kindOf(text string) (kind, arg string) {
	kind, arg, has := strings.Cut(text, ":")
	switch {
	case kind == "varopt" && has:
		kind = "varopt:"
	case kind == "adaptive" && !has:
		arg = "0.9"
	}
	return kind, arg
}

// scheduleName is a schedule in words.
func (p *pane) scheduleName(text string) string {
	kind, arg := kindOf(text)
	name := p.w.T("schedule." + kind)
	if arg != "" && kind != "betas" {
		name += ", " + p.num(arg)
	}
	return name
}

// scheduleField is the control of a schedule: a menu of its kinds, the number or the list of those that have one, and
// the way to the picture in which it can be drawn.
func (p *pane) scheduleField(method, key, value string) HTML {
	id := "p-" + key
	now, arg := kindOf(value)
	var options []HTML
	for _, choice := range schedules {
		kind, _ := kindOf(choice)
		if kind == now {
			choice = value
		} else if choice == byHand {
			choice = schedule.Drawn(schedule.Hand(p.start(value)))
		}
		options = append(options, el("option", at("value", choice, "selected", when(kind == now)),
			text(p.w.T("schedule."+kind))))
	}
	kids := []HTML{el("label", at("for", id), text(p.w.Plain("Schedule"))),
		el("select", at("id", id, "data-param", key, "aria-describedby", id+"-help"), options...)}
	if arg != "" {
		word, wide := "schedule.number", absent
		if now == "betas" {
			word, wide = "schedule.list", "wide"
		} else {
			arg = p.num(arg)
		}
		bare, _, _ := strings.Cut(value, ":")
		kids = append(kids, el("label", at("for", id+"-number"), text(p.w.T(word))),
			el(`input type="text" autocomplete="off" spellcheck="false"`, at("id", id+"-number", "class", wide,
				"data-param", key+"="+bare, "value", arg, "aria-describedby", id+"-help")))
	}
	why := p.w.T("schedule.why")
	if schedule.Learned(value) {
		why += " " + p.w.T("schedule.learned")
	}
	kids = append(kids, el(`p class="why"`, at("id", id+"-help"), text(why)))
	if p.scheduled(method) != "" && p.scene() != scheduleScene {
		kids = append(kids, button("", "scene", scheduleScene.name, text(p.w.T("schedule.draw"))))
	}
	return el(`div class="param" data-type="schedule"`, at("data-key", key), kids...)
}
