package words

// wordsTrainingEN are the words of trainings.
var wordsTrainingEN = []string{
	"train.title", "Train your own",
	"train.about", "A restricted Boltzmann machine learns rows of 0 and 1. Log Z is followed while the weights move, so " +
		"it is known whether the machine gets better.",
	"train.data", "Data",
	"train.data.why", "Or choose a file with rows of 0 and 1: .csv, .npz, .npy, .txt or .idx. It stays on this device.",
	"train.digits", "Handwritten digits (MNIST)",
	"train.bars", "Bars and stripes",
	"train-threshold", "Threshold",
	"train-threshold.why", "Numbers of at least this count as 1, others as 0. Empty: all must be 0 or 1.",
	"train-seed", "Seed",
	"train-seed.why", "Same seed, same digits.",
	"train.threshold", "Count numbers of at least %s as 1",
	"train.start", "Train",
	"train.lacks", "Choose the file with the rows %s first.",
	"train.constant", "%d of %d columns are constant: they teach the machine nothing.",
	"train.lost", "Workers failed several times at the same updates: this device may have too little memory for " +
		"them. What there was before is kept.",
	"train.what", "%d columns, %s hidden units; %s rows to train on, %s for validation",
	"train.at", "Update %s of %s.",
	"train.paused", "Paused.",
	"train.waits", "It waits until the experiment is over.",
	"train.over", "It is over.",
	"train.likely", "Log-likelihood of a row after %s updates: %s in training, %s in validation, ± %s nats.",
	"train.blind", "Log Z is not followed, so nothing is known of the likelihood.",
	"train.best", "The best so far by validation is the machine after %s updates.",
	"train.pause", "Pause",
	"train.go", "Go on",
	"train.stop", "Stop",
	"train.new", "Train another",
	"train.use", "Use this machine",
	"train.keep", "Download .npz",
	"train.safe", "This browser keeps the training: it can go on after a reload.",
	"train.other", "This run has other settings than the link, which the form has once you train another.",
	"train.kept", "The training on %s stands at update %s of %s.",
}
