package page

// Lesson is a page of site/lessons.
type Lesson struct{ Page, Title string }

// lessons in their order; view.lesson counts from 1.
var lessons = []Lesson{
	{"lessons/1-what.html", "What log Z is, and why it is hard"},
	{"lessons/2-importance.html", "Importance sampling, and why it fails"},
	{"lessons/3-annealing.html", "Annealing and temperature"},
	{"lessons/4-bad-start.html", "The bad start"},
	{"lessons/5-tempering.html", "Tempering and its ladder"},
	{"lessons/6-dreams.html", "Boltzmann machines and what they dream"},
	{"lessons/7-one-run.html", "One run, seven estimators"},
	{"lessons/8-error-bars.html", "When does an error bar lie?"},
}
