package page

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// "Break it, and say why": experiments that are broken on purpose. A sheet shows one of them run; the student says why
// it is wrong, and the page answers by what the run shows of itself (diagnosis.go), never by what was broken.

// broken are the experiments, each on several models; view.break counts from 1.
var broken = [reasons][]string{
	badStart:      brokenOn("ais&ais.chains=20&ais.temperatures=300&start=uniform", "rbm-pcd-20", "rbm-cd1-20"),
	starvedLadder: brokenOn(starved, "ising16", "rbm-pcd-20", "rbm-cd1-20"),
	missedMode: slices.Concat(brokenOn("smc&smc.islands=8&smc.particles=10&smc.temperatures=60", "rbm-cd25-20"),
		brokenOn("smc&smc.islands=8&smc.particles=6&smc.temperatures=40", "rbm-cd1-20")),
	fewParticles:    brokenOn("ais&ais.chains=6", "mixture2", "mixture10"),
	sharedSeed:      brokenOn(oneRun, "ising16", "bmm-digits", "mixture10"),
	fewTemperatures: brokenOn("ais&ais.temperatures=10", "ising16", "mixture2", "mixture10"),
}

const starved = "rts&rts.chains=10&rts.init=ones&rts.init_rounds=0&rts.sweeps=50&rts.temperatures=20"

// oneRun is five methods that read one run.
var oneRun = together("chains=40", "sweeps=300", "temperatures=40")

func together(settings ...string) string {
	methods := []string{"rts", "rts-stationary", "ti-rb", "bar", "mbar"}
	link := strings.Join(methods, ",")
	for _, m := range methods {
		for _, x := range settings {
			link += "&" + m + "." + x
		}
	}
	return link
}

//go:noinline
func brokenOn(rest string, models ...string) (links []string) {
	for _, m := range models {
		links = append(links, "v=1&model="+m+"&method="+rest)
	}
	return links
}

// repairs are what mends an experiment, by the reason that its run shows.
var repairs = [reasons][]lever{
	badStart: {fromRates, {param: "temperatures", by: times, of: 4}},
	starvedLadder: {fromRates, {param: "init", to: "ais"}, {param: "init_rounds", by: rounds},
		{param: "sweeps", by: times, of: 10}},
	missedMode: {{param: "particles", by: times, of: 20}, {param: "chains", by: times, of: 10},
		{param: "sweeps", by: times, of: 4}, {param: "temperatures", by: times, of: 4}},
	fewParticles: {{param: "islands", by: times, of: 2}, {param: "particles", by: times, of: 30},
		{param: "chains", by: times, of: 20}},
	sharedSeed:      {{param: "replicates", by: times, of: 8}},
	fewTemperatures: {fromRates, {param: "temperatures", by: times, of: 200}},
}

// quiz is what the student has said of the broken experiment on show.
type quiz struct {
	chosen string // key of a reason
	told   bool   // the page has answered
}

// brokenSeed shows what is wrong with each of them.
const brokenSeed = "&seed=2"

// breakIt runs broken experiment n, from 1, on one of its models; "3.1" is the second model of the third.
func (b *Brain) breakIt(value string) {
	first, second, _ := strings.Cut(value, ".")
	n, _ := strconv.Atoi(first)
	i, _ := strconv.Atoi(second)
	if n < 1 || n > len(broken) || i < 0 || i >= len(broken[n-1]) {
		return
	}
	s := b.set
	s.Break, s.Scene, s.Focus, s.Lesson = n, "", "", 0
	b.address.leave()
	b.Open(broken[n-1][i] + brokenSeed + s.Link())
}

// quizEvent handles what the student does in the sheet.
func (b *Brain) quizEvent(e Event) {
	switch e.Name {
	case "break":
		b.breakIt(e.Value)
	case "break-seed":
		if b.spec != nil {
			s := b.draft()
			s.Seed = b.host.Random()
			b.address.leave()
			b.Open(s.Link() + b.set.Link())
		}
	case "answer":
		b.quiz.told = b.quiz.chosen != "" && b.state == "done"
	case "repair":
		b.set.Break, b.panels.sheet = 0, ""
		b.mend(e.Value)
	default:
		b.quiz = quiz{chosen: e.Value}
	}
}

// brokenButton opens the sheet again, from the head of the page.
func (p *pane) brokenButton() HTML {
	return el(`button type="button" id="broken" class="quiet" data-event="sheet" data-value="broken"`,
		at("title", p.w.T("broken.at", p.set.Break, len(broken))), text(p.w.T("broken.head", p.set.Break, len(broken))))
}

// brokenSheet shows the experiments, the run of the chosen one, and the reasons.
func (p *pane) brokenSheet() []HTML {
	w, at0 := p.w, p.set.Break
	var numbers []HTML
	for n := range broken {
		numbers = append(numbers, el(`button type="button" data-event="break"`, at("data-value", strconv.Itoa(n+1),
			"aria-pressed", yes(n+1 == at0), "aria-label", w.T("broken.at", n+1, len(broken))), text(strconv.Itoa(n+1))))
	}
	kids := []HTML{tagText("p", w.T("broken.why")),
		el(`div class="seg" role="group"`, at("aria-label", w.T("broken.which")), numbers...)}
	if at0 == 0 || p.spec == nil {
		return kids
	}
	var on []HTML
	for i, link := range broken[at0-1] {
		s, _ := spec.ParseLink(link, p.names())
		on = append(on, el(`button type="button" data-event="break"`, at("data-value", strconv.Itoa(at0)+"."+strconv.Itoa(i),
			"aria-pressed", yes(s.Model == p.spec.Model)), text(s.Model)))
	}
	kids = append(kids, el(`div class="seg" role="group"`, at("aria-label", w.T("model")), on...),
		button("", "break-seed", "", text(w.T("broken.seed"))))
	kids = append(kids, p.symptoms()...)
	var radios []HTML
	for i, k := range reasonKeys {
		radios = append(radios, el("label", at("data-key", k), el(`input type="radio" name="reason"`,
			at("id", "reason-"+k, "value", k, "checked", when(p.quiz.chosen == k))), text(w.T("reason."+reasonKeys[i]))))
	}
	ready := p.quiz.chosen != "" && p.state == "done"
	kids = append(kids, tag(`fieldset class="boxes"`, append([]HTML{tagText("legend", w.T("broken.ask"))}, radios...)...),
		el(`button type="button" class="primary" data-event="answer"`, at("aria-disabled", yes(!ready)),
			text(w.T("broken.answer"))))
	return append(kids, tag(`div role="status" id="diagnosis"`, p.answer()...))
}

// symptoms are the numbers of the run and its checks, without what a failure means.
func (p *pane) symptoms() (out []HTML) {
	w := p.w
	var rows [][]string
	for _, r := range p.reports {
		exact := "–"
		if r.Truth != nil {
			exact = p.known(float64(r.Truth.LogZ), 2)
		}
		says := w.T("none.yet")
		if report.IsNumber(r.LogZ) {
			says = p.withBar(r)
		}
		rows = append(rows, []string{label(r.Method), says, exact, p.verdictOf(r)})
	}
	out = append(out, p.table([]string{"method", "field.logz", "exact", "field.verdict"}, rows))
	r := p.shown()
	if r == nil || r.State != "done" {
		return append(out, tagText(`p class="why"`, w.T("broken.wait", percentOf(p.share()))))
	}
	var items []HTML
	for _, c := range r.Verdict.Checks {
		items = append(items, p.check(r, c))
	}
	return append(out, tagText("h3", w.T("checks.of", label(r.Method))), tag(`ul class="checks"`, items...))
}

// verdictOf is a verdict in words, a dash before there is one.
func (p *pane) verdictOf(r *report.Report) string {
	if r.Verdict == nil || !report.IsNumber(r.LogZ) {
		return "–"
	}
	return p.verdict(r)
}

// answer says whether the run shows the reason that the student has chosen, and by what.
func (p *pane) answer() []HTML {
	if !p.quiz.told || p.state != "done" {
		return nil
	}
	w := p.w
	found := diagnose(p.reports, p.focus)
	if len(found) == 0 {
		return []HTML{tagText("p", w.T("shows.none"))}
	}
	first := found[0]
	also := slices.IndexFunc(found, func(e evidence) bool { return reasonKeys[e.reason] == p.quiz.chosen })
	key, name := "broken.no", w.T("reason."+reasonKeys[first.reason])
	switch {
	case also >= 0 && found[also].reason == first.reason:
		key = "broken.yes"
	case also > 0:
		key = "broken.also"
	}
	kids := []HTML{tag("p", tagText("b", w.T(key, name)), text(" "+p.says(first)))}
	if key == "broken.also" {
		kids = append(kids, tagText(`p class="why"`, p.says(found[also])))
	}
	if r := p.shown(); r.Truth != nil {
		kids = append(kids, tagText(`p class="why"`, w.T("broken.truth", p.withBar(r), p.known(float64(r.Truth.LogZ), 2))))
	}
	if a := p.repaired(first.reason); a != nil {
		kids = append(kids, button("primary", a.Event, a.Value, text(a.Label)))
	}
	return kids
}

// says is a piece of evidence as a sentence.
func (p *pane) says(e evidence) string {
	if c, ok := e.args[0].(*report.VerdictCheck); ok {
		return p.w.T(e.key, p.checkName(c), p.w.Measure(c.Text), p.w.Phrase(c.Needs))
	}
	args := slices.Clone(e.args)
	for i, x := range args {
		if number, ok := x.(string); ok {
			args[i] = p.num(number)
		}
	}
	return p.w.T(e.key, args...)
}

// repaired is the experiment without what its run shows to be wrong, nil if it would take too long here.
func (p *pane) repaired(reason int) *Action {
	s, r := p.draft(), p.shown()
	var changes []string
	for _, l := range repairs[reason] {
		key, now := p.leverKey(l, r)
		to := l.to
		if to == "" && key != "" {
			x, _ := strconv.ParseFloat(now, 64)
			to = spec.Decimal(rounded(max(x, 1) * max(l.factor(r, 0), 2)))
		}
		if key == "" || to == now || put(s, p.names(), key, to) != nil {
			continue
		}
		if x, err := strconv.ParseFloat(to, 64); err == nil {
			to = p.count(x)
		}
		changes = append(changes, l.param+" = "+to)
	}
	s.Prune(p.names())
	if a := p.affordable(s, p.w.T("broken.mend", strings.Join(changes, ", "))); a != nil {
		return &Action{a.Label, "repair", a.Value}
	}
	return nil
}
