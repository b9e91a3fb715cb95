package words

// wordsTourDE are the words of the tour in German.
var wordsTourDE = []string{
	"tour", "Rundgang (2 min)",
	"tour.of", "%d von %d",
	"tour.next", "Weiter",
	"tour.back", "Zurück",
	"tour.end", "Rundgang beenden",
	"tour.lesson", "Zur ersten Lektion",
	"tour.1", "Die Summe, die niemand ausrechnen kann",
	"tour.1.text",
	"Ein Modell gibt jedem Zustand ein Gewicht, zum Beispiel jedem Bild aus 784 schwarzen oder weißen Pixeln." +
		" Z ist die Summe aller Gewichte. Solche Bilder gibt es 2⁷⁸⁴, eine Zahl mit 237 Stellen; kein Rechner " +
		"kann so viele Gewichte addieren. Diese Seite schätzt log Z, den natürlichen Logarithmus der Summe.",
	"tour.2", "Die Partikel abkühlen lassen",
	"tour.2.text",
	"Start drücken. Die Partikel beginnen heiß, wo alles Rauschen und die Summe leicht ist, und kühlen ab zu " +
		"dem, was dem Modell gefällt. Wie sich ihre Gewichte dabei ändern, ergibt log Z.",
	"tour.2.did",
	"Los geht es. Der Balken unter dem Bild reicht von heiß (β = 0) bis kalt (β = 1): am Griff ziehen, und " +
		"die Partikel schmelzen und gefrieren.",
	"tour.3", "Die Zahl und ihr Fehlerbalken",
	"tour.3.text",
	"Das ist der Schätzwert für log Z. Hinter ± steht sein Fehlerbalken: Ein ehrlicher enthält den wahren " +
		"Wert in etwa zwei von drei Läufen. Die Einheit ist das Nat: Ein Nat mehr heißt, dass Z 2,7-mal so groß " +
		"ist.",
	"tour.4", "Stimmt sie?",
	"tour.4.text",
	"Der exakte Wert dieses Modells ist bekannt: die Linie neben dem Schätzwert. Das Urteil braucht ihn " +
		"nicht: Es sagt, ob die Prüfungen darunter bestanden sind, und wenn nicht, was zu tun ist.",
	"tour.4.bounds",
	"Den exakten Wert dieses Modells kann niemand berechnen. Neben dem Schätzwert stehen Schranken, wo es " +
		"welche gibt; das Urteil sagt, ob die Prüfungen darunter bestanden sind, und wenn nicht, was zu tun ist.",
	"tour.5", "Eine Sache ändern",
	"tour.5.text",
	"Im Aufbau einen Regler bewegen, etwa die Temperaturen, und Start drücken: Wird der Fehlerbalken kürzer? " +
		"„Teilen“ liefert einen Link, und wer ihn öffnet, erhält dieselben Ziffern.",
	"tour.5.did",
	"Geändert. Start drücken und vergleichen, oder den Link teilen: Wer ihn öffnet, erhält dieselben Ziffern.",
}
