package session

// phrasesDE are the sentences and names of models, methods, parameters, checks,
// flags and of the picture, by their English text.
var phrasesDE = map[string]string{
	// Modelle und Verfahren
	"Three hills of unequal mass in the plane, found from one wide hill.":       "Drei Hügel ungleicher Masse in der Ebene, von einem breiten Hügel aus gefunden.",
	"Two narrow Gaussians, seven standard deviations apart, in ten dimensions.": "Zwei schmale Gauß-Hügel in zehn Dimensionen, sieben Standardabweichungen auseinander.",
	"A 16 x 16 Ising lattice close to its critical temperature.":                "Ein Ising-Gitter von 16 x 16 Spins nahe seiner kritischen Temperatur.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits.":  "Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit CD-1 an MNIST-Ziffern trainiert. CD-1 formt die Dichte nur nahe den Daten; freie Ziehungen sehen nicht wie Ziffern aus.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-25.":                                                                                          "Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit CD-25 an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by persistent CD.":                                                                                  "Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 100 hidden units, trained on MNIST digits by persistent CD.":                                                                                 "Eine Boltzmann-Maschine mit 100 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits.": "Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit CD-1 an MNIST-Ziffern trainiert. CD-1 formt die Dichte nur nahe den Daten; freie Ziehungen sehen nicht wie Ziffern aus.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-25.":                                                                                         "Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit CD-25 an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by persistent CD.":                                                                                 "Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"Importance sampling: independent draws from the base, each weighted by how much more likely the target makes it.":                                                                "Importance Sampling: unabhängige Ziehungen vom Anfang, jede gewichtet damit, wie viel wahrscheinlicher das Ziel sie macht.",
	"Annealed importance sampling: chains are cooled from the base to the target, and each carries a weight whose mean is Z.":                                                         "Annealed Importance Sampling: Ketten werden vom Anfang zum Ziel abgekühlt; jede trägt ein Gewicht, dessen Mittel Z ist.",
	"Rao-Blackwellized tempered sampling: chains wander up and down the ladder, and the exact chance of each rung, averaged over the run, gives every log Z.":                         "Rao-Blackwellized Tempered Sampling: Ketten wandern die Leiter auf und ab; die gemittelte Wahrscheinlichkeit jeder Sprosse gibt jedes log Z.",

	// Einstellungen
	"Particles": "Partikel", "Chains": "Ketten", "Temperatures": "Temperaturen", "Schedule": "Abstufung", "Sweeps": "Schritte", "Burn in": "Einlauf", "Init": "Anfang", "Init rounds": "Anfangsrunden",
	"Init sweeps": "Anfangsschritte", "Merge": "Zusammenlegen", "Moves": "Züge", "Beta": "Beta", "Start": "Ausgang", "Form": "Form",
	"Number of independent draws from the base.":                                                                                      "Zahl der unabhängigen Ziehungen vom Anfang.",
	"Number of independent annealing runs, each giving one weight.":                                                                   "Zahl der unabhängigen Abkühlungen; jede gibt ein Gewicht.",
	"Number of inverse temperatures from 0 to 1, both ends counted.":                                                                  "Zahl der inversen Temperaturen von 0 bis 1, beide Enden gezählt.",
	"How the inverse temperatures are spaced: linear, power:p (p > 0), geometric:bmin (0 < bmin < 1), sigmoid:r (r > 0) or sm08.":     "Wie die inversen Temperaturen liegen: linear, power:p (p > 0), geometric:bmin (0 < bmin < 1), sigmoid:r (r > 0) oder sm08.",
	"Kernel applications at each temperature between the ends.":                                                                       "Schritte an jeder Temperatur zwischen den Enden.",
	"Number of tempering chains run side by side.":                                                                                    "Zahl der Ketten, die nebeneinander laufen.",
	"Number of rungs K of the ladder, both ends counted.":                                                                             "Zahl K der Sprossen, beide Enden gezählt.",
	"Sweeps of each chain that are kept for the estimate.":                                                                            "Schritte jeder Kette, die in die Schätzung eingehen.",
	"Sweeps of each chain discarded before those kept; -1 means 10 % of them, at least 20.":                                           "Schritte jeder Kette, die vorher verworfen werden; -1 heißt 10 %, mindestens 20.",
	"First guess of the rungs' log Z: one annealing pass (ais), or all equal as in the paper (ones).":                                 "Erster Tipp für log Z der Sprossen: eine Abkühlung (ais) oder alle gleich wie im Aufsatz (ones).",
	"Largest number of initial iterations that improve the guess; a stop rule may end them earlier. Use 10 or more with init = ones.": "Höchstzahl der Anfangsrunden, die den Tipp bessern; eine Regel kann sie früher beenden. Mit init = ones 10 oder mehr wählen.",
	"Sweeps of each chain in one initial iteration.":                                                                                  "Schritte jeder Kette in einer Anfangsrunde.",
	"Whether the initial iterations that were nearly flat are merged into the estimate by maximum likelihood.":                        "Ob fast gleichmäßige Anfangsrunden mit in die Schätzung eingehen.",
	"Metropolis-Hastings steps in one sweep.":                                                                                         "Metropolis-Hastings-Züge in einem Schritt.",
	"Inverse temperature of the lattice; empty means the model's own, 0.44 where it names none.":                                      "Inverse Temperatur des Gitters; leer heißt die des Modells, sonst 0.44.",
	"The base that annealing starts from: the base rates of the data, the logistic of the visible biases, or coins (uniform).":        "Wovon die Abkühlung ausgeht: Grundraten der Daten, die sichtbaren Biases oder Münzen (uniform).",
	"Whether the hidden units are summed out of every density (marginal) or kept (joint).":                                            "Ob die verborgenen Einheiten aus jeder Dichte ausgesummt sind (marginal) oder bleiben (joint).",

	// Prüfungen
	"A result": "Ein Ergebnis", "none": "keines", "a number": "eine Zahl", "There is no estimate.": "Es gibt keinen Schätzwert.", "Run the method again with more work.": "Das Verfahren mit mehr Arbeit wiederholen.",
	"An error bar": "Ein Fehlerbalken", "≥ 2 chains": "≥ 2 Ketten", "One chain says nothing about its own error.": "Eine Kette sagt nichts über ihren Fehler.", "Use ten chains or more.": "Zehn Ketten oder mehr nehmen.",
	"Effective sample size": "Effektive Stichprobe", "A few heavy weights carry the estimate, so the error bar is too small.": "Wenige schwere Gewichte tragen die Schätzung; der Fehlerbalken ist zu klein.", "Use more temperatures first, then more chains.": "Zuerst mehr Temperaturen nehmen, dann mehr Ketten.",
	"Spread of log weights": "Streuung der Log-Gewichte", "The chains lag behind the moving target.": "Die Ketten kommen dem Ziel nicht nach.", "Use more temperatures.": "Mehr Temperaturen nehmen.",
	"Forward and reverse agree": "Vor und zurück stimmen überein",
	"Chains that start at the target find another log Z than chains that start at the base: one of them misses part of the target.": "Ketten vom Ziel her finden ein anderes log Z als Ketten vom Anfang: eine Seite verfehlt einen Teil des Ziels.",
	"Choose a better start (base rates), or use more temperatures.":                                                                 "Einen besseren Ausgang (Grundraten) oder mehr Temperaturen wählen.",
	"Sandwich width": "Abstand der Schranken", "The bounds from below and above are far apart, so little is certain.": "Untere und obere Schranke liegen weit auseinander; wenig ist sicher.",
	"A known start": "Bekannter Ausgang", "a guess": "ein Tipp", "base rates p1": "Grundraten p1", "The file has no base rates, so the start is a guess, and no upper bound can expose a bad one.": "Die Datei hat keine Grundraten; der Ausgang ist ein Tipp, und keine obere Schranke kann einen schlechten zeigen.",
	"Add p1, the mean of the training data, to the file.": "Der Datei p1 beigeben, das Mittel der Trainingsdaten.",
	"Bars off the truth": "Balken von der Wahrheit", "The exact value lies outside the error bar: the bar is too short.": "Der exakte Wert liegt außerhalb des Fehlerbalkens: der Balken ist zu kurz.", "Trust the exact value, and give the method more work.": "Dem exakten Wert trauen und dem Verfahren mehr Arbeit geben.",
	"Occupancy c/r": "Besuch c/r", "Some rung is visited far less, or more, than planned, so few chains pass it.": "Eine Sprosse wird viel seltener oder öfter besucht als geplant; kaum eine Kette kommt vorbei.", "Allow more initial rounds, or add rungs there.": "Mehr Anfangsrunden erlauben oder dort Sprossen zufügen.",
	"Round trips": "Rundreisen", "Too few chains have been up and down the whole ladder.": "Zu wenige Ketten sind die ganze Leiter auf und ab gewandert.", "Use more sweeps.": "Mehr Schritte nehmen.",
	"Starting guess": "Erster Tipp", "The initial iterations ended before the rungs were visited evenly.": "Die Anfangsrunden endeten, bevor die Sprossen gleichmäßig besucht waren.", "Allow more initial rounds or sweeps.": "Mehr Anfangsrunden oder -schritte erlauben.",

	"Exact samples agree": "Exakte Ziehungen stimmen überein", "Exact samples of the target give log Z another rise over the last rungs than the chains: the chains miss part of the target.": "Exakte Ziehungen vom Ziel geben log Z über die letzten Sprossen einen anderen Anstieg als die Ketten: die Ketten verfehlen einen Teil des Ziels.",
	"Trust another method, or start elsewhere and use more sweeps.": "Einem anderen Verfahren trauen, oder anders beginnen und mehr Schritte nehmen.",

	// Hinweise
	"The error bar may be too short: the effective sample size is below 50 or the log weights vary by more than 1. Look at the sandwich; use more temperatures, or more chains if there are fewer than 50.": "Der Fehlerbalken ist vielleicht zu kurz: die effektive Stichprobengröße liegt unter 50, oder die Log-Gewichte streuen um mehr als 1. Auf die Schranken sehen; mehr Temperaturen nehmen, oder mehr Ketten, wenn es weniger als 50 sind.",
	"One chain has no error bar: run more chains.":                                                                           "Eine Kette hat keinen Fehlerbalken: mehr Ketten nehmen.",
	"The file has no base rates, so the start is a guess: look at the sandwich.":                                             "Die Datei hat keine Grundraten, der Ausgang ist ein Tipp: auf die Schranken sehen.",
	"Rounding the weights to fixed point may have moved log Z by more than 0.001 nats; the bound stands in the diagnostics.": "Das Runden der Gewichte kann log Z um mehr als 0.001 Nats verschoben haben; die Schranke steht in der Diagnose.",
	"The upper end starts from data instead of exact samples, so it is typical, not certain.":                                "Die obere Schranke geht von Daten statt exakten Ziehungen aus; sie ist typisch, nicht sicher.",
	"No upper end: exact samples of this target cannot be drawn.":                                                            "Keine obere Schranke: exakte Ziehungen des Ziels sind nicht zu haben.",
	"This method gives no bounds: its error bar is all there is.":                                                            "Dieses Verfahren gibt keine Schranken, nur den Fehlerbalken.",
	"Too few chains and sweeps for an error bar: run more.":                                                                  "Zu wenige Ketten und Schritte für einen Fehlerbalken.",
	"Some rungs were visited ten times too rarely or too often: give the initial iterations more rounds.":                    "Manche Sprosse wurde zehnmal zu selten oder zu oft besucht: mehr Anfangsrunden geben.",
	"The initial iterations ended before the rungs were visited evenly: give them more rounds or sweeps.":                    "Die Anfangsrunden endeten, bevor die Sprossen gleichmäßig besucht waren: mehr Runden oder Schritte geben.",
	"Log Z along the ladder is recorded at some rungs only, to save memory.":                                                 "Log Z ist, um Speicher zu sparen, nur an einigen Sprossen vermerkt.",
	"The run was interrupted: this is what was known by then.":                                                               "Der Lauf wurde unterbrochen: so viel war bekannt.",
	"Every weight was zero: no sample reached the target.":                                                                   "Jedes Gewicht war null: keine Ziehung traf das Ziel.",
	"The run failed.": "Der Lauf ist gescheitert.",

	"The initial iterations could not be merged, so the final run stands alone.": "Die Anfangsrunden ließen sich nicht zusammenlegen; der Schlusslauf steht allein.",

	// Bild
	"By temperature": "Nach Temperatur", "Error bar, nats": "Fehlerbalken, Nats", "Its error": "Sein Fehler", "Its error bar": "Sein Fehlerbalken", "Occupancy": "Besuch", "Particle": "Partikel", "Rung": "Sprosse", "Show all": "Alle zeigen",
	"annealing": "Abkühlen", "chain": "Kette", "chain-sweeps": "Schritte", "chains": "Ketten", "chains here now": "Ketten jetzt hier", "error": "Fehler", "exact": "exakt", "final": "Schluss", "forward": "vorwärts", "initial": "Anfang",
	"last": "letzte", "log Z by rung": "log Z je Sprosse", "log Z, nats": "log Z, Nats", "log weight": "Log-Gewicht", "lower": "untere", "nats": "Nats", "now": "jetzt", "occupancy": "Besuch", "of": "von", "of the mass": "der Masse", "of the mean": "des Mittels",
	"particle": "Partikel", "particles": "Partikel", "reverse": "rückwärts", "rows": "Zeilen", "rungs": "Sprossen", "slope −½: four times the work, half the bar": "Steigung −½: vierfache Arbeit, halber Balken",
	"so far": "bisher", "sweep": "Schritt", "sweeps": "Schritte", "sweeps before now": "Schritte vor jetzt", "units on": "Einheiten an", "upper": "obere", "weight": "Gewicht",

	// Lektionen
	"What log Z is, and why it is hard": "Was log Z ist, und warum es schwer ist", "Importance sampling, and why it fails": "Importance Sampling, und warum es scheitert", "Annealing and temperature": "Abkühlen und Temperatur",
	"The bad start": "Der schlechte Ausgang", "Tempering and its ladder": "Tempern und seine Leiter", "Boltzmann machines and what they dream": "Boltzmann-Maschinen und was sie träumen",
}
