package words

// wordsBrokenDE holds the sheet of broken experiments.
var wordsBrokenDE = []string{
	"broken", "Was ist hier kaputt?",
	"broken.at", "Kaputtes Experiment %d von %d",
	"broken.head", "Warum? (%d von %d)",
	"broken.which", "Kaputte Experimente",
	"broken.why", "Jedes dieser Experimente ist mit Absicht kaputt. Eines laufen lassen, Zahlen und Prüfungen ansehen " +
		"und sagen, was falsch ist. Die Antwort wird am Lauf selbst abgelesen, gilt also auch für andere Startwerte und " +
		"Modelle.",
	"broken.seed", "Anderer Startwert",
	"broken.wait", "Der Lauf ist bei %s.",
	"broken.ask", "Was ist an diesem Lauf falsch?",
	"broken.answer", "Ist es das?",
	"broken.yes", "Ja: %s.",
	"broken.also", "Das zeigt sich auch, aber etwas anderes zeigt sich deutlicher: %s.",
	"broken.no", "Der Lauf zeigt etwas anderes: %s.",
	"broken.truth", "Der Lauf sagt %s; der exakte Wert ist %s.",
	"broken.mend", "Repariert laufen lassen: %s",
	"reason.start", "ein schlechter Ausgang",
	"reason.ladder", "eine verhungerte Leiter",
	"reason.mode", "ein verpasster Modus",
	"reason.particles", "zu wenige Partikel",
	"reason.seed", "ein gemeinsamer Startwert",
	"reason.temperatures", "zu wenige Temperaturen",
	"shows.none", "Dieser Lauf zeigt nichts Falsches. Vielleicht hatte er Glück: einen anderen Startwert nehmen.",
	"shows.start", "Die Schranken vom Ausgang und vom Ziel her liegen %s Nats auseinander, aber die Varianz der " +
		"Log-Gewichte, %s, erklärt nur etwa so viel. Von diesem Ausgang kommen die Ketten nicht dorthin, wo das Ziel " +
		"seine Masse hat.",
	"shows.ladder", "%s: %s, nötig ist %s. Eine Sprosse wird kaum besucht, darum sagt nichts, wie sich die Enden der " +
		"Leiter zueinander verhalten.",
	"shows.mode", "%s: %s, nötig ist %s. Exakte Stichproben des Ziels stehen, wo dieser Lauf nie war.",
	"shows.temperatures", "%s: %s, nötig ist %s. Das Ziel zog schneller weiter, als die Ketten folgen konnten.",
	"shows.weights", "%s: %s, nötig ist %s. Die Gewichte sind gleichmäßig, es sind nur zu wenige.",
	"shows.islands", "%s: %s, nötig ist %s. So wenige Partikel enden durch Zufall weit auseinander.",
	"shows.particles", "%s: %s, nötig ist %s. So wenige sagen wenig über ihren eigenen Fehler.",
	"shows.seed", "%d Verfahren liegen in %s Nats beisammen, ihre Fehlerbalken aber sind %s: unabhängige Läufe kommen " +
		"sich höchstens einmal in zwanzig so nahe. Alle lesen einen Lauf, dieselben Zufallszahlen; dass sie einig sind, " +
		"beweist nichts.",
}
