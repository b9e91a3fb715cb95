package session

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// View is what the page paints. It holds every word and every decision.
type View struct {
	Link       string            `json:"link"`
	State      string            `json:"state"`
	Seen       int               `json:"seen"`
	Models     []Named           `json:"models"`
	Model      string            `json:"model"`
	About      string            `json:"about"`
	Methods    []Named           `json:"methods"`
	Params     []ParamView       `json:"params"`
	Seed       string            `json:"seed"`
	Replicates string            `json:"replicates"`
	Fields     []Field           `json:"fields"`
	Rows       []Row             `json:"rows"`
	Message    *Message          `json:"message"`
	Summary    string            `json:"summary"`
	Progress   Progress          `json:"progress"`
	Buttons    map[string]Button `json:"buttons"`
	Scenes     []Named           `json:"scenes"`
	Scene      string            `json:"scene"`
	Caption    string            `json:"caption"`
}

// Named is a choice.
type Named struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	About string `json:"about,omitempty"`
	Kind  string `json:"kind,omitempty"`
	On    bool   `json:"on,omitempty"`
}

// ParamView is a parameter's control.
type ParamView struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	Method  string   `json:"method"`
	Value   string   `json:"value"`
	Type    string   `json:"type"`
	Choices []string `json:"choices,omitempty"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Help    string   `json:"help"`
}

// Field is a column of the results.
type Field struct {
	Field string `json:"field"`
	Label string `json:"label"`
	Help  string `json:"help"`
}

// Row is one method's results.
type Row struct {
	Method      string          `json:"method"`
	Label       string          `json:"label"`
	State       string          `json:"state"`
	Provisional bool            `json:"provisional"`
	Cells       map[string]Cell `json:"cells"`
	Notes       []string        `json:"notes"`
}

// Cell is a number for people and, in Value, the exact decimal. Faint counts the
// trailing characters that the error bar reaches.
type Cell struct {
	Text  string `json:"text"`
	Value string `json:"value"`
	Faint int    `json:"faint,omitempty"`
}

// Message is a notice with at most one button.
type Message struct {
	Level  string  `json:"level"`
	Text   string  `json:"text"`
	Action *Action `json:"action,omitempty"`
}

// Action is a button that sends an event.
type Action struct {
	Label string `json:"label"`
	Event string `json:"event"`
	Value string `json:"value,omitempty"`
}

// Progress is the share done.
type Progress struct {
	Fraction float64 `json:"fraction"`
	Text     string  `json:"text"`
}

// Button is a transport control.
type Button struct {
	Label    string `json:"label"`
	Disabled bool   `json:"disabled"`
}

var scenes = []Named{{Name: "units", Label: "Units"}, {Name: "trace", Label: "Trace"}}

var fields = []Field{
	{"logz", "log Z", "The estimate of the log of the normalising constant, in nats."},
	{"se", "error bar", "One standard error of log Z, in nats."},
	{"lower", "lower end", "A stochastic lower bound: the mean log weight minus two standard errors."},
	{"upper", "upper end", "A stochastic upper bound, from reverse annealing that starts at the target."},
	{"truth", "exact", "The exact log Z, where it can be known."},
	{"error", "off by", "Estimate minus exact value, in nats."},
	{"sweeps", "chain-sweeps", "Kernel applications, summed over all chains: the cost on one scale for every method."},
	{"seconds", "seconds", "Time on this machine; it never enters the hash."},
	{"hash", "hash", "A receipt of the digits: the same link gives the same hash on every machine."},
}

var kindLabels = map[string]string{"gmm": "Gaussian mixtures", "ising": "Ising lattices", "rbm": "Boltzmann machines trained on MNIST"}

// paint makes the view and the curves and hands them to the host.
func (b *Brain) paint() {
	v := View{State: b.state, Seen: b.seen, Message: b.problem, Scenes: scenes, Scene: b.view["scene"],
		Fields: fields, Rows: []Row{}, Params: []ParamView{}}
	names := catalog.Names{}
	for _, e := range models.Builtin {
		v.Models = append(v.Models, Named{Name: e.Name, Label: e.Name, About: e.About, Kind: kindLabels[e.Kind]})
	}
	if b.ownID != "" {
		v.Models = append(v.Models, Named{Name: b.ownID, Label: b.src.Name, Kind: "Your own"})
	}
	chosen := map[string]bool{}
	if s := b.spec; s != nil {
		v.Link = "#" + s.Link() + b.viewLink()
		v.Model, v.Seed, v.Replicates = s.Model, fmt.Sprint(s.Seed), fmt.Sprint(s.Replicates)
		v.About = b.about()
		v.addParams(s, "", b.modelParams())
		for _, m := range s.Methods {
			chosen[m] = true
			params, _ := names.MethodParams(m)
			v.addParams(s, m, params)
		}
	}
	for _, m := range catalog.Methods {
		v.Methods = append(v.Methods, Named{Name: m.Name, Label: m.Label, About: m.About, On: chosen[m.Name]})
	}
	v.Progress = b.progress()
	v.Buttons = b.buttons()
	if b.job != nil {
		reports := b.job.Reports(b.elapsed())
		for _, r := range reports {
			v.Rows = append(v.Rows, b.row(r))
			b.remember(r)
		}
		b.say(reports)
		b.curves(reports)
	} else if b.spec != nil {
		for _, m := range b.spec.Methods {
			info, _ := catalog.Method(m)
			v.Rows = append(v.Rows, Row{Method: m, Label: info.Label, State: "queued", Cells: map[string]Cell{}, Notes: []string{}})
		}
		b.summary = map[string]string{"loading": "Loading the model.", "failed": "Nothing has run."}[b.state]
		if b.summary == "" {
			b.summary = "No result yet. Press Run."
		}
	}
	v.Summary = b.summary
	v.Caption = b.caption()
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain strings and finite numbers
	}
	b.host.View(text)
}

func (v *View) addParams(s *spec.Spec, method string, params []spec.Param) {
	values := s.Values(params, method)
	for _, p := range params {
		key, group := p.Name, "model"
		if method != "" {
			key, group = method+"."+p.Name, method
		}
		v.Params = append(v.Params, ParamView{Key: key, Label: strings.ReplaceAll(p.Name, "_", " "), Method: group,
			Value: values[p.Name], Type: p.Type, Choices: p.Choices, Min: p.Min, Max: p.Max, Help: p.Help})
	}
}

// modelParams are the parameters of the chosen model, of its own kind for a file.
func (b *Brain) modelParams() []spec.Param {
	if spec.IsFile(b.spec.Model) {
		if b.src.File == nil || b.spec.Model != b.ownID {
			return nil
		}
		return models.Params(b.src.File.Kind)
	}
	return catalog.Names{}.ModelParams(b.spec.Model)
}

func (b *Brain) about() string {
	for _, e := range models.Builtin {
		if e.Name == b.spec.Model {
			if e.Truth == "" {
				return e.About + " No exact value exists."
			}
			return e.About
		}
	}
	return "Your own model: " + b.src.Name
}

func (b *Brain) progress() Progress {
	if b.job == nil {
		return Progress{0, map[string]string{"loading": "Loading", "idle": "Ready", "failed": "Stopped"}[b.state]}
	}
	if b.state == "done" || b.state == "failed" {
		return Progress{1, "Done"}
	}
	share, _ := b.job.Progress()
	p := Progress{share, ProgressText(share, b.elapsed())}
	if b.job.base != nil {
		p.Text = "Finding the base rates"
	}
	if b.state == "paused" {
		p.Text = fmt.Sprintf("%.0f %%, paused", 100*share)
	}
	return p
}

func (b *Brain) buttons() map[string]Button {
	running, paused := b.state == "running", b.state == "paused"
	run := "Run"
	if paused {
		run = "Go on"
	}
	none := b.spec == nil
	return map[string]Button{
		"run":      {run, none || running || b.state == "loading"},
		"pause":    {"Pause", !running},
		"step":     {"Step", !running && !paused},
		"restart":  {"Restart", none},
		"new-seed": {"New seed", none},
		"share":    {"Copy link", none},
	}
}

// row is one method's results as text.
func (b *Brain) row(r *Report) Row {
	info, _ := catalog.Method(r.Method)
	row := Row{Method: r.Method, Label: info.Label, State: r.State, Provisional: r.Provisional, Cells: map[string]Cell{}, Notes: []string{}}
	if b.state == "paused" && r.State == "running" {
		row.State = "paused"
	}
	if r.State == "done" {
		if _, ok := b.took[r.Method]; !ok {
			b.took[r.Method] = b.elapsed()
		}
	}
	d := Decimals(float64(r.SE))
	known := isNumber(r.LogZ)
	put := func(field string, x Number, digits int) {
		if isNumber(x) {
			row.Cells[field] = Cell{Text: Fixed(float64(x), digits), Value: spec.Decimal(float64(x))}
		}
	}
	put("logz", r.LogZ, d)
	if c, ok := row.Cells["logz"]; ok && isNumber(r.SE) {
		c.Faint = 1
		row.Cells["logz"] = c
	}
	put("se", r.SE, d)
	put("lower", r.Lower, 2)
	put("upper", r.Upper, 2)
	if r.Truth != nil {
		put("truth", Number(r.Truth.LogZ), max(d, 2))
		if known {
			e := float64(r.LogZ) - r.Truth.LogZ
			text := Fixed(e, max(d, 2))
			if e > 0 {
				text = "+" + text
			}
			row.Cells["error"] = Cell{Text: text, Value: spec.Decimal(e)}
		}
	}
	if known {
		row.Cells["sweeps"] = Cell{Text: Thousands(float64(r.Cost.Sweeps)), Value: spec.Decimal(float64(r.Cost.Sweeps))}
		t, done := b.took[r.Method]
		if !done {
			t = b.elapsed()
		}
		row.Cells["seconds"] = Cell{Text: fmt.Sprintf("%.1f", t), Value: spec.Decimal(t)}
	}
	if r.State == "done" {
		row.Cells["hash"] = Cell{Text: r.Hash, Value: r.Hash}
		for _, f := range r.Flags {
			row.Notes = append(row.Notes, FlagMeaning(f))
		}
		if r.Truth == nil && r.Hint != "" {
			row.Notes = append(row.Notes, "The exact value is within reach of the command: "+r.Hint+".")
		}
	}
	if r.Err != "" {
		row.Notes = append(row.Notes, "This method failed: "+r.Err)
	}
	return row
}

func isNumber(x Number) bool { return x-x == 0 }

// Decimals is the number of decimals up to the digit that an error bar reaches,
// one more where its first digit is 1; 2 without an error bar.
func Decimals(se float64) int {
	if !(se > 0) || math.IsInf(se, 0) {
		return 2
	}
	e := math.Floor(math.Log10(se))
	if se < 2*math.Pow(10, e) {
		e--
	}
	return int(min(max(-e, 0), 9))
}

// Fixed is x with a typographic minus.
func Fixed(x float64, digits int) string {
	s := fmt.Sprintf("%.*f", digits, x)
	if strings.HasPrefix(s, "-") {
		if strings.Trim(s, "-0.") == "" {
			return s[1:]
		}
		return "\u2212" + s[1:]
	}
	return s
}

// Thousands groups an integer: 12,345.
func Thousands(x float64) string {
	s := fmt.Sprintf("%.0f", x)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// maxHistory bounds the points of a curve; beyond it every second one is dropped.
const maxHistory = 400

// remember adds a report to its curve when its cost has grown.
func (b *Brain) remember(r *Report) {
	h := b.history[r.Method]
	if !isNumber(r.LogZ) {
		return
	}
	// Importance sampling moves nothing; its draws stand where sweeps would.
	cost := float64(r.Cost.Sweeps)
	if cost == 0 {
		cost = max(float64(r.Cost.Evaluations)/2, 1)
	}
	p := frame.Point{Sweeps: cost, LogZ: float64(r.LogZ), SE: float64(r.SE), Lower: float64(r.Lower), Upper: float64(r.Upper), Final: !r.Provisional}
	if n := len(h); n > 0 && p.Sweeps <= h[n-1].Sweeps {
		h[n-1] = p // the same cost told again, perhaps as final
		return
	}
	if len(h) >= maxHistory {
		half := h[:0]
		for i := 0; i < len(h); i += 2 {
			half = append(half, h[i])
		}
		h = half
	}
	b.history[r.Method] = append(h, p)
}

// curves sends the history of every method to the picture.
func (b *Brain) curves(reports []*Report) {
	f := frame.Frame{Model: b.spec.Model}
	for _, r := range reports {
		f.Curves = append(f.Curves, frame.Curve{Method: r.Method, Points: b.history[r.Method]})
		if r.Truth != nil {
			f.Truth, f.HasTruth = r.Truth.LogZ, true
		}
	}
	b.host.Frame(f.Append(nil))
}

// say updates the polite summary, at most every few seconds.
func (b *Brain) say(reports []*Report) {
	now := b.host.Now()
	if b.lastSum != 0 && now-b.lastSum < summaryEvery {
		return
	}
	b.lastSum = now
	var parts []string
	for _, r := range reports {
		info, _ := catalog.Method(r.Method)
		if !isNumber(r.LogZ) {
			continue
		}
		d := Decimals(float64(r.SE))
		text := fmt.Sprintf("log Z by %s is %s", info.Label, Fixed(float64(r.LogZ), d))
		if isNumber(r.SE) {
			text += ", error bar " + Fixed(float64(r.SE), d)
		}
		if r.Provisional {
			text += " so far"
		}
		parts = append(parts, text+".")
	}
	if len(parts) == 0 {
		parts = append(parts, "Running.")
	}
	b.summary = strings.Join(parts, " ")
}

func (b *Brain) caption() string {
	if b.view["scene"] == "trace" {
		return "Log Z against cost. Bands are one standard error, dashes the sandwich, the thin line the exact value where it is known."
	}
	if b.spec == nil {
		return "Each tile is one particle."
	}
	for _, e := range models.Builtin {
		if e.Name == b.spec.Model && e.Kind == "gmm" {
			return "Each dot is one particle. Its colour is its inverse temperature, its area its weight."
		}
	}
	return "Each tile is one particle. The mark below it is its inverse temperature, and where it carries a weight a dot shows it."
}
