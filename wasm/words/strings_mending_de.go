package words

// wordsMendingDE holds what failing checks offer, and what is said of the result before an edit.
var wordsMendingDE = []string{
	"mend.temperatures", "%s Temperaturen nehmen",
	"mend.chains", "%s Ketten nehmen",
	"mend.particles", "%s Partikel nehmen",
	"mend.islands", "%s Inseln nehmen",
	"mend.sweeps", "%s Schritte nehmen",
	"mend.moves", "%s Züge je Stufe nehmen",
	"mend.init_rounds", "%s Anfangsrunden nehmen",
	"mend.init_sweeps", "%s Schritte je Anfangsrunde nehmen",
	"mend.i_max", "Bis zu %s Schübe erzeugen",
	"mend.limit", "Bis zu %s Schritte nehmen",
	"mend.replicates", "Den Lauf %s-mal wiederholen",
	"mend.start", "Bei den Grundraten beginnen",
	"mend.absent", "absent = sampled setzen",
	"mend.method", "%s daneben laufen lassen",
	"mend.of", "%s, bei %s",
	"ghost", "vorher:",
	"ghost.of", "vorher: %s",
	"ghost.why", "Diese Zahl ist von vor der Änderung. Sie bleibt, bis die neue da ist.",
	"ghost.why.of", "Diese Zahl ist von vor der Änderung (%s). Sie bleibt, bis die neue da ist.",
	"ghost.seed", "Startwert %d",
	"ghost.replicates", "replicates = %d",
	"ghost.now", "vorher: %s, jetzt: %s, ein Unterschied von %s Nats",
}
