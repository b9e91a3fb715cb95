package words

// wordsTourEN are the words of the tour in English.
var wordsTourEN = []string{
	"tour", "Two-minute tour",
	"tour.of", "%d of %d",
	"tour.next", "Next",
	"tour.back", "Back",
	"tour.end", "End the tour",
	"tour.lesson", "On to the first lesson",
	"tour.1", "The sum that nobody can add up",
	"tour.1.text",
	"A model gives every state, such as every picture of 784 black or white pixels, a weight. Z is the sum of" +
		" all weights. There are 2⁷⁸⁴ such pictures, a number with 237 digits, so no computer can add them up. " +
		"This page estimates log Z, the natural logarithm of that sum.",
	"tour.2", "Let the particles cool down",
	"tour.2.text",
	"Press Run. Particles start hot, where everything is noise and the sum is easy, and are cooled to what " +
		"the model likes. How their weights change on the way gives log Z.",
	"tour.2.did",
	"There they go. The bar under the picture goes from hot (β = 0) to cold (β = 1): drag its handle, and the" +
		" particles melt and freeze.",
	"tour.3", "The number and its error bar",
	"tour.3.text",
	"This is the estimate of log Z. What follows ± is its error bar: an honest one holds the true value in " +
		"about two of three runs. The unit is the nat: one nat more means that Z is 2.7 times as large.",
	"tour.4", "Is it right?",
	"tour.4.text",
	"The exact value of this model is known: the line beside the estimate. The verdict does not need it: it " +
		"says whether the checks below it pass, and if not, what to do.",
	"tour.4.bounds",
	"Nobody can compute the exact value of this model. Bounds stand beside the estimate where there are any, " +
		"and the verdict says whether the checks below it pass, and if not, what to do.",
	"tour.5", "Change one thing",
	"tour.5.text",
	"Move a slider of the setup, such as Temperatures, and press Run: does the error bar shrink? Share gives " +
		"you a link, and whoever opens it gets the same digits.",
	"tour.5.did", "Changed. Press Run and compare, or share the link: whoever opens it gets the same digits.",
}
