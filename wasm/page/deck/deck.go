package deck

// Deck is a lecture.
type Deck struct {
	Title string
	Steps []Step
}

// Step is one screen of a lecture.
type Step struct {
	Link    string // link of the experiment, by default that of the previous step
	Say     string // the sentence on the screen
	Control string // control that the class may use, "" for none
	Ask     string // question before the sentence, "" for none
	Answers []Answer
	Notes   []string // paragraphs for the presenter
	// Address, if set, is shown as a QR code in place of the picture. The page adds such a step; a file cannot.
	Address string
}

// Answer is an answer to the question of a step.
type Answer struct {
	Text  string
	Right bool
}

// Fault is an error in a line of the file, counted from 1.
type Fault struct {
	Line int
	Err  error
}

// Limits of a file. Sentences and answers are limited in letters, because they must fit on the screen.
const (
	MaxBytes   = 64 << 10
	MaxSteps   = 60
	MaxTitle   = 60
	MaxSay     = 160
	MaxAnswer  = 40
	MaxAnswers = 4
	MaxNotes   = 1000 // for one paragraph
	MaxLink    = 2000
)
