package words

// wordsTrainingDE are wordsTrainingEN in German.
var wordsTrainingDE = []string{
	"train.title", "Selbst trainieren",
	"train.about", "Eine eingeschränkte Boltzmann-Maschine lernt Zeilen aus 0 und 1. Log Z wird verfolgt, während sich " +
		"die Gewichte bewegen, darum ist bekannt, ob die Maschine besser wird.",
	"train.data", "Daten",
	"train.data.why", "Oder eine Datei mit Zeilen aus 0 und 1 wählen: .csv, .npz, .npy, .txt oder .idx. Sie bleibt auf " +
		"diesem Gerät.",
	"train.digits", "Handgeschriebene Ziffern (MNIST)",
	"train.bars", "Balken und Streifen",
	"train-threshold", "Schwelle",
	"train-threshold.why", "Zahlen ab hier zählen als 1, andere als 0. Leer: alle müssen 0 oder 1 sein.",
	"train-seed", "Startwert",
	"train-seed.why", "Gleicher Startwert, gleiche Ziffern.",
	"train.threshold", "Zahlen ab %s als 1 zählen",
	"train.start", "Trainieren",
	"train.lacks", "Zuerst die Datei mit den Zeilen %s wählen.",
	"train.constant", "%d von %d Spalten sind konstant: aus ihnen lernt die Maschine nichts.",
	"train.lost", "Über denselben Schritten gingen immer wieder Arbeiter verloren: vielleicht hat dieses Gerät zu wenig " +
		"Speicher dafür. Was vorher da war, bleibt.",
	"train.what", "%d Spalten, %s verborgene Einheiten; %s Zeilen zum Trainieren, %s zur Validierung",
	"train.at", "Schritt %s von %s.",
	"train.paused", "Angehalten.",
	"train.waits", "Es wartet, bis das Experiment zu Ende ist.",
	"train.over", "Es ist zu Ende.",
	"train.likely", "Log-Likelihood einer Zeile nach %s Schritten: %s beim Training, %s bei der Validierung, ± %s Nats.",
	"train.blind", "Log Z wird nicht verfolgt, darum ist über die Likelihood nichts bekannt.",
	"train.best", "Nach der Validierung ist bisher die Maschine nach %s Schritten die beste.",
	"train.pause", "Anhalten",
	"train.go", "Weiter",
	"train.stop", "Beenden",
	"train.new", "Eine andere trainieren",
	"train.use", "Diese Maschine benutzen",
	"train.keep", ".npz herunterladen",
	"train.safe", "Dieser Browser behält das Training: nach dem Neuladen kann es weitergehen.",
	"train.other", "Dieser Lauf hat andere Einstellungen als der Link. Eine andere trainieren, und das Formular hat die " +
		"des Links.",
	"train.kept", "Das Training mit %s steht bei Schritt %s von %s.",
}
