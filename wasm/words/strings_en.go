package words

// wordsEN holds every word of the page in English, by key. Other languages have the
// same keys; a missing one falls back to these.
var wordsEN = map[string]string{
	// head
	"tagline": "Estimate a normalising constant and watch it happen.", "page": "Page", "menu": "Menu", "close": "Close",
	"lesson.of": "Lesson %d of %d", "lessons": "Lessons", "experiments": "Experiments", "share": "Share", "export": "Export", "display": "Display",
	"theme.light": "Light", "theme.dark": "Dark", "theme.projector": "Projector", "leave": "Leave",

	// setup
	"setup": "Setup", "model": "Model", "methods": "Methods", "seed": "Seed", "seed.why": "Same seed, same digits, everywhere.",
	"replicates": "Replicates", "replicates.why": "How often the run is repeated with independent draws.",
	"advanced": "Advanced", "more": "%d more", "own": "Your own model", "own.why": "Drop a .json, .npz or .csv file. Nothing leaves this machine.",
	"own.about": "Your own model: %s", "exact.known": "Exact log Z is known.", "exact.none": "No exact value exists.",
	"kind.own":    "Your own",
	"focus.title": "Show the number of %s", "remove": "Remove %s", "add": "Add %s", "add.method": "Add a method",
	"cost.equal": "Equal cost: %s sweeps each.", "cost.range": "Unequal cost: %s to %s sweeps.", "cost.one": "Cost: %s sweeps.",
	"from.to": "from %s to %s", "drop.now": "Drop the model file", "drop.note": "A .json, .npz or .csv file. Nothing leaves this machine.",

	// transport
	"run": "Run", "resume": "Resume", "pause": "Pause", "step": "Step", "restart": "Restart", "newseed": "New seed", "speed": "Speed", "progress": "Progress of the run",
	"speed.0": "full", "speed.1": "fast", "speed.2": "medium", "speed.3": "slow", "speed.4": "one step at a time",
	"key.space": "Space bar", "key.right": "Right arrow", "left": "%s left", "seconds": "%.1f s",
	"state.loading": "Loading", "state.idle": "Ready", "state.running": "Running", "state.paused": "paused", "state.done": "Done", "state.failed": "Stopped", "state.stopped": "Stopped", "state.rates": "Finding the base rates", "state.model": "Loading the model",

	// the number
	"result": "Result", "by": "by %s", "model.seed": "%s, seed %d",
	"why.loading": "The model is loading.", "why.idle": "The number comes here, with its error bar and a verdict.", "why.failed": "Nothing has run.",
	"why.running": "The number comes here, with its error bar and a verdict.", "why.paused": "The number comes here, with its error bar and a verdict.",
	"why.done": "There is no number.", "why.first": "The first number is on its way.", "why.formed": "%d of %d stages are formed; log Z comes with the last.",
	"why.faint": "The faint digit lies within the error bar: one standard error, from %s.", "why.rough": "From so few it is itself known to %.0f %% only.", "why.nobar": "One chain says nothing about its own error: there is no error bar.", "why.noislands": "One island says nothing about its own error: there is no error bar.",
	"from.chains": "%s chains", "from.islands": "%s islands", "from.particles": "%s particles", "from.replicates": "%d repeated runs", "from.run": "this run",
	"verdict.trust": "Trust", "verdict.caution": "Caution", "verdict.stop": "Do not trust", "verdict.none": "No result yet", "sofar": "%s, so far",
	"counts": "no one two three four five six seven eight nine ten", "pass.1": "The one check passes", "pass.2": "Both checks pass", "pass.n": "All %s checks pass", "pass.sofar": "%s at %s.", "check.is": "%s: %s.",

	// forest, checks
	"forest.one": "Where it lies", "forest.equal": "Methods at equal cost", "forest.own": "Methods, each at its own cost",
	"forest.note": "Dots are estimates, bars one standard error, brackets the sandwich.", "forest.differ": "Not a fair race: the costliest method spends %s times the sweeps of the cheapest.",
	"forest.sandwich": "Brackets are the sandwich: annealing up from the base, and down from the target.", "forest.fails": "%s: %s %s. %s",
	"forest.alt": "Estimates with error bars.", "exact.is": "exact %s", "none.yet": "no number yet",
	"checks": "Checks", "checks.of": "Checks of %s", "needs": "needs", "check.fail": "fails:", "check.passed": "passes:",
	"hash": "Hash of the bits", "hash.later": "when it ends", "invite": "Open this run", "invite.why": "Same link, same digits, on your own phone.",
	"receipt.wait": "The link's receipt is compared when the run ends.", "receipt.agree": "Receipt: the digits agree.", "receipt.differ": "Receipt: the digits differ from those of the link.",

	// picture
	"picture": "Picture", "as.table": "Show as table", "legend": "Legend", "legend.beta": "β: 0 hot, 1 cold", "legend.weight": "weight ½, 2, 4", "scene.key": "Key %d",
	"veil.nothing": "Nothing has run", "veil.nothing.why": "Mend the link, or press Run for what the setup shows.", "veil.failed": "Nothing has run", "veil.failed.why": "The message above says why.",
	"veil.ready": "Ready", "veil.ready.why": "Press Run, or the space bar.", "veil.boot": "Loading", "veil.loading": "Loading the picture", "veil.loading.why": "The numbers already run.",
	"veil.nogl": "No picture on this machine", "veil.nogl.why": "The numbers are complete without it.", "again": "Try again",

	// table
	"numbers": "All numbers", "numbers.why": "All values are natural logarithms (nats). A greyed last digit lies within the error bar.",
	"method": "Method", "copy.command": "Copy as command", "csv": "CSV", "json": "JSON", "png": "PNG", "exact.hint": "The exact value is within reach of the command: %s.", "row.error": "This method failed: %s",
	"row.queued": "queued", "row.running": "running", "row.paused": "paused", "row.done": "done", "row.failed": "failed", "row.stopped": "stopped",
	"field.logz": "log Z", "field.se": "± one s.e.", "field.lower": "Lower", "field.upper": "Upper", "field.truth": "Exact", "field.error": "Error", "field.sweeps": "Chain-sweeps", "field.seconds": "Seconds", "field.verdict": "Verdict", "field.hash": "Hash of the bits",
	"help.logz": "The estimate of the log of the normalising constant, in nats.", "help.se": "One standard error of log Z, in nats.",
	"help.lower": "A stochastic lower bound: the mean log weight minus two standard errors.", "help.upper": "A stochastic upper bound, from annealing backwards from the target.",
	"help.truth": "The exact log Z, where it can be known.", "help.error": "Estimate minus exact value, in nats.",
	"help.sweeps": "Kernel applications, summed over all chains: the cost on one scale for every method.", "help.seconds": "Time on this machine; it never enters the hash.",
	"help.verdict": "Trust when every check passes; the failing check says what to do.", "help.hash": "The same link gives the same hash on every machine, with any number of workers.",

	// sheets
	"share.title": "Share this run", "share.show": "Show in this link", "share.receipt": "Receipt of the digits", "share.code": "Command and embed code", "characters": "%d characters",
	"part.setup": "Setup", "part.methods": "Methods", "part.params": "Sliders", "part.advanced": "Advanced", "part.seed": "Seed", "part.run": "Run buttons", "part.forest": "Comparison", "part.checks": "Checks", "part.tabs": "Picture tabs", "part.numbers": "All numbers", "part.share": "Share, export",
	"copy.link": "Copy link", "copy.embed": "Copy embed code", "copied": "Copied", "copy.hand": "Copy this by hand: %s", "qr": "QR code of the link",
	"export.json": "JSON", "export.csv": "CSV", "export.picture": "Picture (PNG)", "export.command": "Copy as command",
	"export.json.why": "Everything that the command prints, checks included.", "export.csv.why": "One row for each method, for a spreadsheet.", "export.picture.why": "What the picture shows now.", "export.command.why": "The same digits in a terminal.",
	"help.title": "Keyboard shortcuts", "help.run": "Run or pause", "help.step": "One step more", "help.restart": "Restart with the same seed", "help.seed": "A new seed", "help.scrub": "In formation and function: back and forth in what was recorded; Esc returns", "help.help": "This help", "help.esc": "Close what is open, leave the projector view",
	"help.more":   "Every number on the page has a sentence: point at it, or read the end of the page.",
	"table.title": "%s as a table", "table.empty": "Nothing to show yet.", "rung": "Rung", "beta": "β", "particle": "Particle", "log.weight": "Log weight", "cells.on": "Cells on", "place": "Place", "stage": "Stage n", "particles": "Particles", "exact": "Exact", "ess.ratio": "ESS ratio γ", "of.generated": "of them generated", "resampled": "Resampled", "datum": "Datum", "data.label": "Label", "data.fits": "Probability of its label", "key.arrows": "Left, right arrow", "yes": "yes",

	// messages
	"summary.loading": "Loading the model.", "summary.idle": "No result yet. Press Run.", "summary.failed": "Nothing has run.", "summary.running": "Running.", "summary.paused": "Paused.", "summary.done": "Done.", "summary.stopped": "Stopped.",
	"say.logz": "log Z by %s is %s.", "say.bar": "log Z by %s is %s, error bar %s.", "say.running": "Running.",
	"nothing.ran": "%s Nothing was run in its place.", "not.taken": "%s The value was not taken over.", "open.default": "Open the default experiment", "run.with": "Run %s instead", "open.mended": "Open what is right of it",
	"own.link": "This link is about an own model file (%s). Choose that file to run it; another file is refused.", "choose.file": "Choose file",
	"file.bad": "%s: %s The model was not changed.", "file.other": "%s is %s, but the link is about %s. It was refused: choose the right file, or a model from the list.",
	"worker.lost": "A worker stopped at %s. Its lanes are run again; the digits are the same.", "one.method": "one method must stay chosen", "three.methods": "three methods at most can be compared; remove one first",
	"notice.brain": "The calculation stopped and was started again from its link. The digits are the same.", "notice.workers": "The address asks for workers=%s; it must be a whole number from 1 to 8.",
	"notice.big": "%s is too large; a model file may have at most 256 MB. Choose a smaller file.", "notice.unread": "%s could not be read. Check that the file still exists, then choose it again.",
	"notice.update": "A new version of the lab is ready. Reload the page to use it.", "fetch.lost": "the model file %s could not be loaded: %v; press Run to try again, or choose another model",
	"fetch.damaged":    "the model file came damaged (%v); press Run to load it again, or choose another model",
	"worker.unstarted": "A worker could not start (%s). The run goes on with %d; the digits are the same.",
	"worker.none":      "No worker could start (%s), so nothing has run. Close other tabs or programs to free memory, then press Run.",

	// what the page says before, or without, the calculation: {0}, {1} are filled in
	"page.reload": "Reload", "page.download": "Downloading", "page.bytes": "{0} of {1} MB", "page.some": "{0} MB", "page.start": "Starting", "page.stopped": "Stopped",
	"page.nothing": "Nothing has run", "page.above": "The message above says why.",
	"page.nowasm":      "This browser cannot run WebAssembly, so nothing can be computed here. Update the browser or allow WebAssembly in its settings; the command logz gives the same digits.",
	"page.nounzip":     "This browser cannot unpack the program (it has no DecompressionStream). Use Chrome 80, Firefox 113, Safari 16.4 or later; the command logz gives the same digits.",
	"page.file":        "A browser does not load programs from a file address. Serve this folder over http, for example with ./build.sh serve, and open that address.",
	"page.noanswer":    "No answer from the server for {0}. Check the connection, then reload the page.",
	"page.status":      "The server answered {1} for {0}, so the program is not there. Build the folder again with ./build.sh build, or upload all of its files.",
	"page.damaged":     "{0} is damaged or ended early ({1}). Reload the page; if that does not help, build the folder again with ./build.sh build.",
	"page.memory":      "This machine has too little free memory to start {0} ({1}). Close other tabs, then reload the page.",
	"page.else":        "The server sent something else ({1}) in place of {0}. Upload all files of the folder and make the host serve them as they are.",
	"page.crashed":     "The program could not start ({0}). Reload the page.",
	"page.nostart":     "The calculation could not start ({0}). Reload the page; if that does not help, check that the server has worker.js and wasm_exec.js.",
	"page.often":       "The calculation stopped {0} times and was not started again ({1}). Reload the page, or choose a smaller model.",
	"page.nomemory":    "This machine has too little free memory for the calculation ({0}). Close other tabs or programs, then reload the page.",
	"page.slowpicture": "The picture did not start.", "page.boot": "Nothing happens? This page needs JavaScript and a web server. Open it over http, for example with ./build.sh serve, not as a file.",
}
