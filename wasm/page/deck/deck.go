package deck

// Deck is a lecture.
type Deck struct {
	Title string
	Steps []Step
}

// Step is what the screen shows at a time.
type Step struct {
	Link    string // of the experiment; a step without one has that of the step before
	Say     string // the sentence
	Control string // what the class may change, "": nothing
	Ask     string // a question that comes first, "": none
	Answers []Answer
	Notes   []string // paragraphs for the presenter
}

// Answer is an answer to the question of a step.
type Answer struct {
	Text  string
	Right bool
}

// Fault is something wrong in a line of the file, counted from 1.
type Fault struct {
	Line int
	Err  error
}

// Limits of a file. Sentences and answers are in letters, as they must fit on the screen.
const (
	MaxBytes   = 64 << 10
	MaxSteps   = 60
	MaxTitle   = 60
	MaxSay     = 160
	MaxAnswer  = 40
	MaxAnswers = 4
	MaxNotes   = 1000 // of a paragraph
	MaxLink    = 2000
)
