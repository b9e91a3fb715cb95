package words

// wordsBrokenEN holds the sheet of broken experiments.
var wordsBrokenEN = []string{
	"broken", "Break it, and say why",
	"broken.at", "Broken experiment %d of %d",
	"broken.head", "Say why (%d of %d)",
	"broken.which", "Broken experiments",
	"broken.why", "Each of these experiments is broken on purpose. Let one run, look at its numbers and checks, and say " +
		"what is wrong. The answer is read from the run itself, so it holds for other seeds and models too.",
	"broken.seed", "Another seed",
	"broken.wait", "The run is at %s.",
	"broken.ask", "What is wrong with this run?",
	"broken.answer", "Is it that?",
	"broken.yes", "Yes: %s.",
	"broken.also", "That shows, too, but something else shows more clearly: %s.",
	"broken.no", "The run shows something else: %s.",
	"broken.truth", "The run says %s; the exact value is %s.",
	"broken.mend", "Run it mended: %s",
	"reason.start", "a bad start",
	"reason.ladder", "a starved ladder",
	"reason.mode", "one mode missed",
	"reason.particles", "too few particles",
	"reason.seed", "a shared seed",
	"reason.temperatures", "too few temperatures",
	"shows.none", "This run shows nothing wrong. It may have had luck: try another seed.",
	"shows.start", "The bounds from the start and from the target are %s nats apart, but the variance of the log " +
		"weights, %s, explains only about that much. Chains from this start do not come where the target has its mass.",
	"shows.ladder", "%s: %s, and %s is needed. Some rung is hardly visited, so nothing tells how the two ends of the " +
		"ladder compare.",
	"shows.mode", "%s: %s, and %s is needed. Exact samples of the target stand where this run never was.",
	"shows.temperatures", "%s: %s, and %s is needed. The target moved on faster than the chains could follow.",
	"shows.weights", "%s: %s, and %s is needed. The weights are even, so there are just too few of them.",
	"shows.islands", "%s: %s, and %s is needed. So few particles end far apart by chance.",
	"shows.particles", "%s: %s, and %s is needed. So few say little of their own error.",
	"shows.seed", "%d methods lie within %s nats, but their error bars are %s: independent runs come so close one time " +
		"in twenty at most. All read one run, the same random numbers, so that they agree proves nothing.",
}
