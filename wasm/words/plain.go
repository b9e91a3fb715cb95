package words

import "strings"

// plain has plain words for terms of the field, and names for models: the English text of the lower layer, the word in
// English, the word in German. With ! it is that of a check that fails. The page shows the term beside it, in a tooltip
// or a table; reports and the command know the term alone.
const plain = `
mixture2 | Three hills in a plane | Drei Hügel, eben
mixture10 | Hills in ten dimensions | Zwei Hügel in 10-D
bmm-digits | Ten blurred digits | Zehn unscharfe Ziffern
ising16 | Magnet on a lattice | Magnet auf Gitter
rbm-cd1-20 | Digits, small, CD-1 | Ziffern, klein, CD-1
rbm-cd25-20 | Digits, small, CD-25 | Ziffern, klein, CD-25
rbm-pcd-20 | Digits, small | Ziffern, klein
rbm-pcd-100 | Digits, medium | Ziffern, mittel
rbm-cd1-500 | Digits, large, CD-1 | Ziffern, groß, CD-1
rbm-cd25-500 | Digits, large, CD-25 | Ziffern, groß, CD-25
rbm-pcd-500 | Digits, large | Ziffern, groß
gpc-1d | Points on a line | Punkte auf einer Linie
gpc-ou | Points on a line, rough | Linie mit Punkten, rau
gpc-2d | Two half rings | Zwei halbe Ringe
gpc-mnist35 | Threes and fives | Dreien und Fünfen
linreg-line | A line through points | Gerade durch Punkte
linreg-level | The points about a level | Die Punkte um eine Höhe
linreg-bend | The points about a parabola | Die Punkte um eine Parabel
betabinom-coin | Is the coin fair? | Ist die Münze fair?
nig-12 | Twelve measurements | Zwölf Messwerte
nig-60 | Steady prices | Gleichmäßige Kurse
glmm-wards | Patients in wards | Patienten auf Stationen
sv-60 | Restless prices | Unruhige Kurse
lgssm-40 | Noisy looks | Verrauschte Blicke
Noise of the likelihood | Likelihood known well enough | Likelihood genau genug
Noise of the likelihood! | Likelihood too noisy | Likelihood zu verrauscht
Effective sample size | Particles that count | Partikel, die zählen
Spread of log weights | Temperature changes slowly enough | Temperatur langsam genug geändert
Spread of log weights! | Temperature changes too fast | Temperatur zu schnell geändert
Works in common | Overlap of both ways | Überlappung beider Wege
Left of the beginning | Still settling | Noch nicht zur Ruhe
Reverse gap | Cooling and warming agree | Kühlen und Erwärmen sind einig
Reverse gap! | Cooling and warming disagree | Kühlen und Erwärmen sind uneins
Sandwich width | Bounds are close | Schranken liegen nah
Sandwich width! | Bounds are far apart | Schranken liegen weit auseinander
Bars off the truth | Distance to the exact value, in error bars | Abstand vom exakten Wert, in Fehlerbalken
Distance to the truth | Distance to the exact value | Abstand vom exakten Wert
Bars off exact samples | Distance to exact samples, in error bars | Abstand von exakten Ziehungen, in Fehlerbalken
Bars that held | How such error bars held | Wie solche Fehlerbalken hielten
Bars of drift | Drift, in error bars | Drift, in Fehlerbalken
Occupancy c/r | Visits, 1 = as planned | Besuche, 1 = wie geplant
Islands agree | Separate groups agree | Getrennte Gruppen sind einig
Islands agree! | Separate groups disagree | Getrennte Gruppen sind uneins
Excess spread of islands | Spread of groups, 1 = by chance | Streuung der Gruppen, 1 = Zufall
Annealed chains | Distance to cooled chains | Abstand von gekühlten Ketten
Generating cut short | Making more, cut short | Nachschub abgebrochen
Islands | Separate groups (islands) | Getrennte Gruppen (Inseln)
final | main run | Hauptlauf
generate | make more | mehr erzeugen
augment | add the next | das Nächste dazu
Rows | Data rows | Datenzeilen
Hidden | Hidden units | Verborgene Einheiten
Rate | Learning rate | Lernrate
Gradient | Method | Verfahren
Last | Last share of the rate | Letzter Anteil der Rate
K | Gibbs steps (k) | Gibbs-Schritte (k)
low: generate | low: make more | tief: mehr erzeugen
generated | made anew | neu erzeugt
ESS ratio | Evenness | Gleichmaß
ESS ratio γ | Evenness of weights | Gleichmaß der Gewichte
Visits, c / r | Visits, 1 = as planned | Besuche, 1 = wie geplant
`

// plainWords finds those of a language, 1 for English and 2 for German, by the term.
func plainWords(column int) map[string]string {
	t := map[string]string{}
	for line := range strings.Lines(plain) {
		if row := strings.Split(strings.TrimSpace(line), " | "); len(row) > column {
			t[row[0]] = row[column]
		}
	}
	return t
}
