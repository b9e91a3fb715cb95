package deck

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// judge knows two links, and one control.
var judge = Checker{
	Link: func(link string) error {
		if link != "#a" && link != "#b" {
			return errors.New("no link")
		}
		return nil
	},
	Control: func(link, control string) error {
		if control != "temperatures" {
			return errors.New("no control of " + link)
		}
		return nil
	},
}

func TestParse(t *testing.T) {
	text := "\ufeff# Title\r\n\r\nlink: #a\r\nSay : One: two.\r\ncontrol: temperatures\r\nnotes: First\r\n  goes on.\r\n" +
		"notes: Second.\r\n\r\n\r\nsay: It is\n\tthis one.\nask: Which?\n- A\n- * B: b\n\nlink: #b\nsay: End."
	want := &Deck{"Title", []Step{
		{Link: "#a", Say: "One: two.", Control: "temperatures", Notes: []string{"First goes on.", "Second."}},
		{Link: "#a", Say: "It is this one.", Ask: "Which?", Answers: []Answer{{"A", false}, {"B: b", true}}},
		{Link: "#b", Say: "End."}}}
	got, faults := Parse([]byte(text), judge)
	if !reflect.DeepEqual(got, want) || len(faults) > 0 {
		t.Errorf("got %+v, %v", got, faults)
	}
}

// Each wrong line is named, in words.
func TestFaults(t *testing.T) {
	const good = "# T\n\nlink: #a\nsay: Yes.\n"
	for text, want := range map[string][]Fault{
		"":                          {{1, errors.New("the file is empty")}},
		"# T":                       {{1, errors.New("there is no step")}},
		"link: #a\nsay: Yes.":       {{1, errors.New("the first line must be #")}},
		"#\n\nlink: #a\nsay: Yes.":  {{1, errors.New("the first line must be #")}},
		"# T\n\nsay: No.":           {{3, errors.New("the first step needs a line link:")}},
		"# T\n\nlink: #c\nsay: No.": {{3, errors.New("no link")}},
		good + "sya: no":            {{5, errors.New(`"sya: no" begins with none of link:, say:`)}},
		good + "say: No.":           {{5, errors.New("say: stands twice in this step, first in line 4")}},
		good + "control: x":         {{5, errors.New("no control of #a")}},
		good + "- no":               {{5, errors.New("this is an answer, but no line ask:")}},
		good + "ask: No?\n- A\nsay: B": {{5, errors.New("a question needs two answers")},
			{7, errors.New("say: stands twice")}},
		good + "ask: No?\n- A\n-\n- *B\n- * C": {{7, errors.New("this answer is empty")},
			{9, errors.New("two answers are marked")}},
		good + "ask: No?\n- A\n- B\n- C\n- D\n- E": {{10, errors.New("too many answers")}},
		good + "ask:":              {{5, errors.New("nothing stands behind ask:")}},
		good + "\nnotes: Nothing.": {{6, errors.New("this step says nothing")}},
		good + "# two":             {{5, errors.New("only the first line is a title")}},
		good + "\nlink: #c\nlink: #d\nsay: A.\n\nsay: B.\nyes": {{6, errors.New("no link")},
			{7, errors.New("link: stands twice")}, {11, errors.New(`"yes" begins with none`)}},
		good + "\nsay: " + strings.Repeat("ä", MaxSay+1):                 {{6, errors.New("this text has 161 letters")}},
		good + "ask: A\n- " + strings.Repeat("a", MaxAnswer+1) + "\n- B": {{6, errors.New("this answer has 41 letters")}},
		"# " + strings.Repeat("a", MaxTitle+1) + "\n\nlink: #a\nsay: A.": {{1, errors.New("the title has 61 letters")}},
		good + "notes: a\xff":                                         {{5, errors.New("this is not UTF-8")}},
		strings.Repeat("a", MaxBytes+1):                               {{1, errors.New("at most 65536")}},
		"# T\n" + strings.Repeat("\nlink: #a\nsay: A.\n", MaxSteps+2): {{183, errors.New("this is step 61")}},
	} {
		_, faults := Parse([]byte(text), judge)
		if len(faults) != len(want) {
			t.Errorf("%.80q: %v, want %v", text, faults, want)
			continue
		}
		for i, f := range faults {
			if f.Line != want[i].Line || !strings.Contains(f.Err.Error(), want[i].Err.Error()) {
				t.Errorf("%.80q: line %d: %v, want line %d: %v", text, f.Line, f.Err, want[i].Line, want[i].Err)
			}
		}
	}
}

func TestIsLecture(t *testing.T) {
	for text, want := range map[string]bool{"# T\n\nlink: #a\n": true, "say: hello": true, "\ufeffLink : x": true,
		"# x y\n1 2\n": false, "": false, "say:\x00": false, "{\"say\": 1}": false} {
		if IsLecture([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// Any file gives a deck within the limits, or faults in lines of the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte("# T\n\nlink: #a\nsay: A.\nask: B\n- c\n- * d\ncontrol: temperatures\nnotes: e\n f\n"))
	f.Add([]byte("\ufeff#\r\n- -\r\r  x\nlink:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, faults := Parse(data, judge)
		lines := 1 + strings.Count(strings.ReplaceAll(string(data), "\r", "\n"), "\n")
		for _, x := range faults {
			if x.Line < 1 || x.Line > lines || x.Err == nil {
				t.Errorf("%q: %+v", data, x)
			}
		}
		if len(faults) > 0 {
			return
		}
		if d.Title == "" || len(d.Steps) == 0 || len(d.Steps) > MaxSteps {
			t.Errorf("%q: %+v", data, d)
		}
		for _, s := range d.Steps {
			if s.Say == "" || s.Link == "" || (s.Ask == "") != (len(s.Answers) == 0) {
				t.Errorf("%q: step %+v", data, s)
			}
		}
	})
}
