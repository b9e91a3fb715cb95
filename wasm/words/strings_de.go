package words

// wordsDE is the page in German.
var wordsDE = map[string]string{
	// Kopf
	"tagline": "Eine Normierungskonstante schätzen und dabei zusehen.", "page": "Seite", "menu": "Menü", "close": "Schließen",
	"lesson.of": "Lektion %d von %d", "lessons": "Lektionen (englisch)", "experiments": "Experimente (englisch)", "share": "Teilen", "export": "Sichern", "display": "Darstellung",
	"theme.light": "Hell", "theme.dark": "Dunkel", "theme.projector": "Beamer", "leave": "Verlassen",

	// Einstellungen
	"setup": "Aufbau", "model": "Modell", "methods": "Verfahren", "seed": "Startwert", "seed.why": "Gleicher Startwert, gleiche Ziffern, überall.",
	"replicates": "Wiederholungen", "replicates.why": "Wie oft der Lauf mit unabhängigen Ziehungen wiederholt wird.",
	"advanced": "Erweitert", "more": "%d weitere", "own": "Eigenes Modell", "own.why": "Eine .json-, .npz- oder .csv-Datei hierher ziehen. Nichts verlässt dieses Gerät.",
	"own.about": "Eigenes Modell: %s", "exact.known": "Das exakte log Z ist bekannt.", "exact.none": "Einen exakten Wert gibt es nicht.",
	"kind.own":    "Eigene",
	"focus.title": "Die Zahl von %s zeigen", "remove": "%s entfernen", "add": "%s hinzufügen", "add.method": "Verfahren hinzufügen",
	"cost.equal": "Gleiche Kosten: je %s Schritte.", "cost.range": "Ungleiche Kosten: %s bis %s Schritte.", "cost.one": "Kosten: %s Schritte.",
	"from.to": "von %s bis %s", "drop.now": "Modelldatei ablegen", "drop.note": "Eine .json-, .npz- oder .csv-Datei. Nichts verlässt dieses Gerät.",

	// Lauf
	"run": "Start", "resume": "Weiter", "pause": "Pause", "step": "Schritt", "restart": "Neustart", "newseed": "Neu losen", "speed": "Tempo", "progress": "Fortschritt des Laufs",
	"speed.0": "volles Tempo", "speed.1": "schnell", "speed.2": "mittel", "speed.3": "langsam", "speed.4": "Schritt für Schritt",
	"key.space": "Leertaste", "key.right": "Pfeil rechts", "left": "noch %s", "seconds": "%.1f s",
	"state.loading": "Lädt", "state.idle": "Bereit", "state.running": "Läuft", "state.paused": "angehalten", "state.done": "Fertig", "state.failed": "Beendet", "state.stopped": "Beendet", "state.rates": "Grundraten werden bestimmt", "state.model": "Lädt das Modell",

	// die Zahl
	"result": "Ergebnis", "by": "mit %s", "model.seed": "%s, Startwert %d",
	"why.loading": "Das Modell wird geladen.", "why.idle": "Hier erscheint die Zahl, mit Fehlerbalken und Urteil.", "why.failed": "Es ist nichts gelaufen.",
	"why.running": "Hier erscheint die Zahl, mit Fehlerbalken und Urteil.", "why.paused": "Hier erscheint die Zahl, mit Fehlerbalken und Urteil.",
	"why.done": "Es gibt keine Zahl.", "why.first": "Die erste Zahl ist unterwegs.", "why.formed": "%d von %d Stufen sind gebildet; log Z kommt mit der letzten.",
	"why.faint": "Die blasse Ziffer liegt im Fehlerbalken: ein Standardfehler, aus %s.", "why.rough": "Aus so wenigen ist er selbst nur auf %.0f %% genau bekannt.", "why.nobar": "Eine einzige Kette sagt nichts über ihren Fehler: es gibt keinen Fehlerbalken.", "why.noislands": "Eine einzige Insel sagt nichts über ihren Fehler: es gibt keinen Fehlerbalken.",
	"from.chains": "%s Ketten", "from.islands": "%s Inseln", "from.particles": "%s Partikeln", "from.replicates": "%d Wiederholungen", "from.run": "diesem Lauf",
	"verdict.trust": "Vertrauen", "verdict.caution": "Vorsicht", "verdict.stop": "Nicht vertrauen", "verdict.none": "Noch kein Ergebnis", "sofar": "%s, bisher",
	"counts": "null eine zwei drei vier fünf sechs sieben acht neun zehn", "pass.1": "Die eine Prüfung ist bestanden", "pass.2": "Beide Prüfungen bestanden", "pass.n": "Alle %s Prüfungen bestanden", "pass.sofar": "%s, bei %s.", "check.is": "%s: %s.",

	// Vergleich, Prüfungen
	"forest.one": "Wo die Zahl liegt", "forest.equal": "Verfahren bei gleichen Kosten", "forest.own": "Verfahren, jedes zu seinen Kosten",
	"forest.note": "Punkte sind Schätzwerte, Balken ein Standardfehler, Klammern die Schranken.", "forest.differ": "Kein faires Rennen: das teuerste Verfahren braucht %s-mal so viele Schritte wie das billigste.",
	"forest.sandwich": "Klammern sind die Schranken: vom Anfang her aufwärts, vom Ziel her abwärts.", "forest.fails": "%s: %s %s. %s",
	"forest.alt": "Schätzwerte mit Fehlerbalken.", "exact.is": "exakt %s", "none.yet": "noch keine Zahl",
	"checks": "Prüfungen", "checks.of": "Prüfungen von %s", "needs": "nötig", "check.fail": "nicht bestanden:", "check.passed": "bestanden:",
	"hash": "Prüfsumme der Bits", "hash.later": "am Ende", "invite": "Diesen Lauf öffnen", "invite.why": "Gleicher Link, gleiche Ziffern, auf dem eigenen Telefon.",
	"receipt.wait": "Der Beleg des Links wird am Ende verglichen.", "receipt.agree": "Beleg: die Ziffern stimmen überein.", "receipt.differ": "Beleg: die Ziffern sind andere als im Link.",

	// Bild
	"picture": "Bild", "as.table": "Als Tabelle zeigen", "legend": "Legende", "legend.beta": "β: 0 heiß, 1 kalt", "legend.weight": "Gewicht ½, 2, 4", "scene.key": "Taste %d",
	"veil.nothing": "Es ist nichts gelaufen", "veil.nothing.why": "Den Link berichtigen, oder mit Start rechnen, was im Aufbau steht.", "veil.failed": "Es ist nichts gelaufen", "veil.failed.why": "Die Meldung oben sagt, warum.",
	"veil.ready": "Bereit", "veil.ready.why": "Start drücken, oder die Leertaste.", "veil.boot": "Lädt", "veil.loading": "Das Bild wird geladen", "veil.loading.why": "Die Zahlen laufen schon.",
	"veil.nogl": "Kein Bild auf diesem Gerät", "veil.nogl.why": "Die Zahlen sind auch ohne Bild vollständig.", "again": "Noch einmal versuchen",

	// Tabelle
	"numbers": "Alle Zahlen", "numbers.why": "Alle Werte sind natürliche Logarithmen (Nats). Eine blasse letzte Ziffer liegt im Fehlerbalken.",
	"method": "Verfahren", "copy.command": "Als Befehl kopieren", "csv": "CSV", "json": "JSON", "png": "PNG", "exact.hint": "Der exakte Wert ist mit dem Befehl zu haben: %s.", "row.error": "Dieses Verfahren ist gescheitert: %s",
	"row.queued": "wartet", "row.running": "läuft", "row.paused": "angehalten", "row.done": "fertig", "row.failed": "gescheitert", "row.stopped": "beendet",
	"field.logz": "log Z", "field.se": "± Standardfehler", "field.lower": "Untere", "field.upper": "Obere", "field.truth": "Exakt", "field.error": "Fehler", "field.sweeps": "Schritte", "field.seconds": "Sekunden", "field.verdict": "Urteil", "field.hash": "Prüfsumme der Bits",
	"help.logz": "Der Schätzwert für den Logarithmus der Normierungskonstante, in Nats.", "help.se": "Ein Standardfehler von log Z, in Nats.",
	"help.lower": "Eine stochastische untere Schranke: mittleres Log-Gewicht minus zwei Standardfehler.", "help.upper": "Eine stochastische obere Schranke, vom Ziel her rückwärts abgekühlt.",
	"help.truth": "Das exakte log Z, wo es bekannt sein kann.", "help.error": "Schätzwert minus exakter Wert, in Nats.",
	"help.sweeps": "Anwendungen des Kerns, über alle Ketten gezählt: Kosten in einem Maß für alle Verfahren.", "help.seconds": "Zeit auf diesem Gerät; sie geht nie in die Prüfsumme ein.",
	"help.verdict": "Vertrauen, wenn jede Prüfung besteht; die gescheiterte sagt, was zu tun ist.", "help.hash": "Derselbe Link gibt auf jedem Gerät dieselbe Prüfsumme, mit jeder Zahl von Workern.",

	// Blätter
	"share.title": "Diesen Lauf teilen", "share.show": "In diesem Link zeigen", "share.receipt": "Beleg der Ziffern", "share.code": "Befehl und Code zum Einbetten", "characters": "%d Zeichen",
	"part.setup": "Aufbau", "part.methods": "Verfahren", "part.params": "Regler", "part.advanced": "Erweitert", "part.seed": "Startwert", "part.run": "Lauftasten", "part.forest": "Vergleich", "part.checks": "Prüfungen", "part.tabs": "Bildwahl", "part.numbers": "Alle Zahlen", "part.share": "Teilen, Sichern",
	"copy.link": "Link kopieren", "copy.embed": "Code kopieren", "copied": "Kopiert", "copy.hand": "Bitte von Hand kopieren: %s", "qr": "QR-Code des Links",
	"export.json": "JSON", "export.csv": "CSV", "export.picture": "Bild (PNG)", "export.command": "Als Befehl kopieren",
	"export.json.why": "Alles, was der Befehl ausgibt, samt Prüfungen.", "export.csv.why": "Eine Zeile je Verfahren, für Tabellenprogramme.", "export.picture.why": "Was das Bild gerade zeigt.", "export.command.why": "Dieselben Ziffern im Terminal.",
	"help.title": "Tastenkürzel", "help.run": "Starten oder anhalten", "help.step": "Ein Schritt weiter", "help.restart": "Neustart mit demselben Startwert", "help.seed": "Ein neuer Startwert", "help.help": "Diese Hilfe", "help.esc": "Schließen, was offen ist; die Beameransicht verlassen",
	"help.more":   "Zu jeder Zahl der Seite gibt es einen Satz: darauf zeigen, oder am Ende der Seite lesen. Die Lektionen gibt es nur auf Englisch.",
	"table.title": "%s als Tabelle", "table.empty": "Noch nichts zu zeigen.", "rung": "Sprosse", "beta": "β", "particle": "Partikel", "log.weight": "Log-Gewicht", "cells.on": "Zellen an", "place": "Ort",
	"help.scrub":   "In Formung und Funktion: zurück und vor in der Aufzeichnung; Esc kehrt zurück",
	"stage":        "Stufe n",
	"particles":    "Partikel",
	"exact":        "Exakt",
	"ess.ratio":    "ESS-Anteil γ",
	"of.generated": "davon erzeugt",
	"resampled":    "Neu gezogen",
	"datum":        "Datum",
	"data.label":   "Klasse",
	"data.fits":    "Wahrscheinlichkeit ihrer Klasse",
	"key.arrows":   "Pfeil links, rechts",
	"yes":          "ja",

	// Meldungen
	"summary.loading": "Das Modell wird geladen.", "summary.idle": "Noch kein Ergebnis. Start drücken.", "summary.failed": "Es ist nichts gelaufen.", "summary.running": "Läuft.", "summary.paused": "Angehalten.", "summary.done": "Fertig.", "summary.stopped": "Beendet.",
	"say.logz": "log Z mit %s ist %s.", "say.bar": "log Z mit %s ist %s, Fehlerbalken %s.", "say.running": "Läuft.",
	"nothing.ran": "%s Es wurde nichts anderes gerechnet.", "not.taken": "%s Der Wert wurde nicht übernommen.", "run.with": "Stattdessen %s rechnen", "open.default": "Beispiel öffnen", "open.mended": "Das Richtige daran öffnen",
	"own.link": "Dieser Link gehört zu einer eigenen Modelldatei (%s). Diese Datei wählen, um ihn zu rechnen; eine andere wird abgelehnt.", "choose.file": "Datei wählen",
	"file.bad": "%s: %s Das Modell wurde nicht geändert.", "file.other": "%s ist %s, aber der Link gehört zu %s. Die Datei wurde abgelehnt: die richtige wählen oder ein Modell der Liste.",
	"worker.lost": "Ein Worker hielt bei %s an. Seine Bahnen werden neu gerechnet; die Ziffern bleiben gleich.", "one.method": "ein Verfahren muss gewählt bleiben", "three.methods": "höchstens drei Verfahren lassen sich vergleichen; zuerst eines entfernen",
	"notice.brain": "Die Rechnung brach ab und wurde aus ihrem Link neu gestartet. Die Ziffern bleiben gleich.", "notice.workers": "Die Adresse verlangt workers=%s; es muss eine ganze Zahl von 1 bis 8 sein.",
	"notice.big": "%s ist zu groß; eine Modelldatei darf höchstens 256 MB haben.", "notice.unread": "%s ließ sich nicht lesen. Prüfen, ob es die Datei noch gibt, und sie noch einmal wählen.",
	"notice.update": "Eine neue Fassung des Labors ist bereit. Die Seite neu laden, um sie zu benutzen.", "fetch.lost": "die Modelldatei %s ließ sich nicht laden: %v; Start drücken, um es wieder zu versuchen, oder ein anderes Modell wählen",
	"fetch.damaged":    "die Modelldatei kam beschädigt an (%v); Start drücken, um sie neu zu laden, oder ein anderes Modell wählen",
	"worker.unstarted": "Ein Worker konnte nicht starten (%s). Der Lauf geht mit %d weiter; die Ziffern bleiben gleich.",
	"worker.none":      "Kein Worker konnte starten (%s), darum lief nichts. Andere Reiter oder Programme schließen, um Speicher freizugeben, dann Start drücken.",

	"page.reload": "Neu laden", "page.download": "Lädt", "page.bytes": "{0} von {1} MB", "page.some": "{0} MB", "page.start": "Startet", "page.stopped": "Beendet",
	"page.nothing": "Es ist nichts gelaufen", "page.above": "Die Meldung oben sagt, warum.",
	"page.nowasm":      "Dieser Browser kann kein WebAssembly ausführen. Den Browser erneuern oder WebAssembly erlauben; der Befehl logz gibt dieselben Ziffern.",
	"page.nounzip":     "Dieser Browser kann das Programm nicht entpacken (DecompressionStream fehlt). Chrome 80, Firefox 113, Safari 16.4 oder neuer benutzen; der Befehl logz gibt dieselben Ziffern.",
	"page.file":        "Von einer file-Adresse lädt ein Browser keine Programme. Diesen Ordner über http anbieten, etwa mit ./build.sh serve, und jene Adresse öffnen.",
	"page.noanswer":    "Keine Antwort vom Server auf {0}. Die Verbindung prüfen, dann die Seite neu laden.",
	"page.status":      "Der Server antwortet {1} auf {0}: das Programm ist nicht da. Den Ordner mit ./build.sh build neu bauen oder alle seine Dateien hochladen.",
	"page.damaged":     "{0} ist beschädigt oder endet zu früh ({1}). Die Seite neu laden; hilft das nicht, den Ordner mit ./build.sh build neu bauen.",
	"page.memory":      "Dieses Gerät hat zu wenig freien Speicher für {0} ({1}). Andere Reiter schließen, dann die Seite neu laden.",
	"page.else":        "Der Server sandte etwas anderes ({1}) statt {0}. Alle Dateien des Ordners hochladen und unverändert ausliefern lassen.",
	"page.crashed":     "Das Programm konnte nicht starten ({0}). Die Seite neu laden.",
	"page.nostart":     "Die Rechnung konnte nicht starten ({0}). Die Seite neu laden; hilft das nicht, prüfen, ob der Server worker.js und wasm_exec.js hat.",
	"page.often":       "Die Rechnung brach {0}-mal ab und wurde nicht neu gestartet ({1}). Die Seite neu laden oder ein kleineres Modell wählen.",
	"page.nomemory":    "Dieses Gerät hat zu wenig freien Speicher für die Rechnung ({0}). Andere Reiter oder Programme schließen, dann die Seite neu laden.",
	"page.slowpicture": "Das Bild ist nicht gestartet.", "page.boot": "Es geschieht nichts? Diese Seite braucht JavaScript und einen Webserver. Sie über http öffnen, etwa mit ./build.sh serve, nicht als Datei.",
}
