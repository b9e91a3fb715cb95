package words

// wordsMendingEN holds what failing checks offer, and what is said of the result before an edit.
var wordsMendingEN = []string{
	"mend.temperatures", "Use %s temperatures",
	"mend.chains", "Use %s chains",
	"mend.particles", "Use %s particles",
	"mend.islands", "Use %s islands",
	"mend.sweeps", "Use %s sweeps",
	"mend.moves", "Use %s moves at every stage",
	"mend.init_rounds", "Use %s initial iterations",
	"mend.init_sweeps", "Use %s sweeps in each initial iteration",
	"mend.i_max", "Make up to %s batches more",
	"mend.limit", "Use up to %s sweeps",
	"mend.replicates", "Repeat the run %s times",
	"mend.start", "Start from the base rates",
	"mend.absent", "Set absent = sampled",
	"mend.method", "Run %s beside it",
	"mend.of", "%s for %s",
	"ghost", "before:",
	"ghost.of", "before: %s",
	"ghost.why", "This number is from before your change. It stays until there is a new one.",
	"ghost.why.of", "This number is from before your change (%s). It stays until there is a new one.",
	"ghost.seed", "seed %d",
	"ghost.replicates", "replicates = %d",
	"ghost.now", "before: %s, now: %s, a difference of %s nats",
}
