package deck

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"logzlab/core/problem"
)

// Checker contains the checks that need knowledge of experiments: Link returns an error for an invalid link, Control for
// a control that the experiment of a link does not have.
type Checker struct {
	Link    func(link string) error
	Control func(link, control string) error
}

// keys begin the lines of a step, except answers.
var keys = []string{"link", "say", "control", "ask", "notes"}

// IsLecture reports whether a file is meant to be a lecture: UTF-8 text with a line that begins with say: or link:.
func IsLecture(data []byte) bool {
	if len(data) > MaxBytes*4 || bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	for line := range strings.Lines(string(data)) {
		if key, _, ok := strings.Cut(line, ":"); ok && slices.Contains([]string{"say", "link"}, keyOf(key)) {
			return true
		}
	}
	return false
}

// keyOf normalises a key: people also write Say, or a space before the colon.
func keyOf(s string) string {
	return strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, "\ufeff")))
}

// parser parses a file line by line.
type parser struct {
	Checker
	deck           Deck
	faults         []Fault
	line           int
	step           *Step          // the current step, nil between steps
	keyLines       map[string]int // line number of each key in the current step; "": its first line
	previousLink   string         // link of the previous step
	continued      *string        // the text to which an indented line is appended, nil for none
	continuedLimit int            // maximum length of *continued, in letters
}

// Parse parses a file and returns the deck and its faults, sorted by line. The deck is complete only if there are no
// faults; it is nil if the file is too long or not UTF-8.
func Parse(data []byte, checker Checker) (*Deck, []Fault) {
	p := &parser{Checker: checker}
	if len(data) > MaxBytes {
		return nil, []Fault{{1, problem.New("the file has %d bytes; a lecture has at most %d", len(data), MaxBytes)}}
	}
	if !utf8.Valid(data) {
		line := 1 + bytes.Count(data[:firstInvalidByte(data)], []byte("\n"))
		return nil, []Fault{{line, problem.New("this is not UTF-8; save the file again as plain text in UTF-8")}}
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(data), "\ufeff"))
	for _, line := range strings.Split(text, "\n") {
		p.line++
		p.take(line)
	}
	p.end()
	if p.deck.Title == "" && len(p.faults) == 0 {
		p.fault(1, problem.New("the file is empty; it begins with # and a title"))
	} else if len(p.deck.Steps) == 0 && len(p.faults) == 0 {
		p.fault(p.line, problem.New("there is no step; a step has a line say: and a line link:"))
	}
	sort.SliceStable(p.faults, func(i, j int) bool { return p.faults[i].Line < p.faults[j].Line })
	return &p.deck, p.faults
}

// firstInvalidByte returns the offset of the first bytes that are not UTF-8.
func firstInvalidByte(data []byte) (at int) {
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

func (p *parser) fault(line int, err error) { p.faults = append(p.faults, Fault{line, err}) }

// take parses one line, without its line break.
func (p *parser) take(line string) {
	text := strings.TrimSpace(line)
	key, value, ok := strings.Cut(text, ":")
	key, value = keyOf(key), strings.TrimSpace(value)
	title, isTitle := strings.CutPrefix(text, "#")
	switch {
	case text == "":
		p.end()

	// The first line is the title.
	case p.deck.Title == "":
		p.continued = nil
		if p.deck.Title = strings.TrimSpace(title); !isTitle || p.deck.Title == "" {
			p.fault(p.line, problem.New("the first line must be # and the title, as in # What a temperature does"))
			p.deck.Title = "?"
		}
		if p.fits(problem.New("the title"), p.deck.Title, MaxTitle); !isTitle {
			p.take(line)
		}

	// Continued text, answers and fields.
	case p.continued != nil && strings.TrimLeft(line, " \t") != line:
		*p.continued += " " + text
		p.fits(problem.New("this text"), *p.continued, p.continuedLimit)
	case isTitle:
		p.fault(p.line, problem.New("only the first line is a title; begin this line with one of %s",
			strings.Join(keys, ":, ")+":"))
	case strings.HasPrefix(text, "-"):
		p.answer(strings.TrimSpace(strings.TrimLeft(text, "-")))
	case ok && slices.Contains(keys, key):
		p.field(key, value)
	default:
		p.fault(p.line, problem.New("%q begins with none of %s", shortened(text), strings.Join(keys, ":, ")+":, - "))
		p.continued = nil
	}
}

// shortened returns the beginning of a text.
func shortened(text string) string {
	if r := []rune(text); len(r) > 24 {
		return string(r[:24]) + "…"
	}
	return text
}

// fits reports whether a text is short enough, and records a fault if not.
func (p *parser) fits(subject error, text string, limit int) bool {
	n := utf8.RuneCountInString(text)
	if n > limit {
		p.fault(p.line, problem.New("%s has %d letters; at most %d fit on the screen", subject, n, limit))
	}
	return n <= limit
}

// currentStep returns the current step; between steps it begins a new one.
func (p *parser) currentStep() *Step {
	if p.step == nil {
		p.step, p.keyLines = &Step{}, map[string]int{"": p.line}
	}
	return p.step
}

// field parses a line that begins with a key.
func (p *parser) field(key, value string) {
	s := p.currentStep()
	if p.continued = nil; p.keyLines[key] > 0 && key != "notes" {
		p.fault(p.line, problem.New("%s: stands twice in this step, first in line %d; a blank line begins the next step",
			key, p.keyLines[key]))
		return
	}
	if p.keyLines[key] = p.line; value == "" && key != "notes" {
		p.fault(p.line, problem.New("nothing stands behind %s:", key))
		return
	}
	switch key {
	case "link":
		if p.fits(problem.New("this text"), value, MaxLink) {
			s.Link = value
		}
	case "control":
		s.Control = value
	case "say":
		s.Say = value
		p.continuable(&s.Say, MaxSay)
	case "ask":
		s.Ask = value
		p.continuable(&s.Ask, MaxSay)
	case "notes":
		s.Notes = append(s.Notes, value)
		p.continuable(&s.Notes[len(s.Notes)-1], MaxNotes)
	}
}

// continuable starts a text that indented lines may continue.
func (p *parser) continuable(text *string, limit int) {
	p.continued, p.continuedLimit = text, limit
	p.fits(problem.New("this text"), *text, limit)
}

// answer parses a line that begins with a dash.
func (p *parser) answer(text string) {
	s := p.currentStep()
	right, isRight := strings.CutPrefix(text, "*")
	text = strings.TrimSpace(right)
	p.continued = nil
	switch {
	case s.Ask == "":
		p.fault(p.line, problem.New("this is an answer, but no line ask: stands above it in this step"))
		return
	case text == "":
		p.fault(p.line, problem.New("this answer is empty"))
	case len(s.Answers) == MaxAnswers:
		p.fault(p.line, problem.New("these are too many answers; at most %d fit on the screen", MaxAnswers))
	case isRight && slices.ContainsFunc(s.Answers, func(a Answer) bool { return a.Right }):
		p.fault(p.line, problem.New("two answers are marked as right; mark one of them with * alone"))
	}
	p.fits(problem.New("this answer"), text, MaxAnswer)
	if len(s.Answers) < MaxAnswers {
		s.Answers = append(s.Answers, Answer{text, isRight})
	}
}

// end checks the current step and adds it to the deck. Between steps it does nothing.
func (p *parser) end() {
	s, at := p.step, p.keyLines
	if p.step, p.continued = nil, nil; s == nil {
		return
	}

	// The texts of the step.
	if s.Say == "" && at["say"] == 0 {
		p.fault(at[""], problem.New("this step says nothing; it needs a line say:"))
	}
	if s.Ask != "" && len(s.Answers) < 2 {
		p.fault(at["ask"], problem.New("a question needs two answers or more, each in a line that begins with -"))
	}

	// The link of the experiment, from this or the previous step.
	switch {
	case at["link"] == 0 && len(p.deck.Steps) == 0:
		p.fault(at[""], problem.New("the first step needs a line link: with the link of an experiment"))
	case s.Link == "":
		s.Link = p.previousLink
	default:
		if err := p.Checker.Link(s.Link); err != nil {
			p.fault(at["link"], err)
			s.Link = ""
		}
	}
	if s.Control != "" && s.Link != "" {
		if err := p.Checker.Control(s.Link, s.Control); err != nil {
			p.fault(at["control"], err)
		}
	}

	// Add the step; too many steps are a fault.
	p.previousLink = s.Link
	if p.deck.Steps = append(p.deck.Steps, *s); len(p.deck.Steps) == MaxSteps+1 {
		p.fault(at[""], problem.New("this is step %d; a lecture has at most %d", MaxSteps+1, MaxSteps))
	}
}
