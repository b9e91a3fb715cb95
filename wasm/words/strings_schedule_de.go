package words

// wordsScheduleDE are wordsScheduleEN in German.
var wordsScheduleDE = []string{
	"schedule.linear", "gleiche Schritte (linear)",
	"schedule.power", "langsamer Anfang (power)",
	"schedule.geometric", "gleiche Verhältnisse (geometric)",
	"schedule.sigmoid", "langsam an beiden Enden (sigmoid)",
	"schedule.sm08", "langsames Ende (sm08)",
	"schedule.varopt", "optimal (varopt)",
	"schedule.varopt:", "optimal mit Höchsttempo (varopt:v)",
	"schedule.friction", "langsam, wo die Ketten nachhinken (friction)",
	"schedule.gms13", "nach Momenten (gms13)",
	"schedule.adaptive", "nach effektiver Stichprobe (adaptive)",
	"schedule.betas", "von Hand gezeichnet (betas)",
	"schedule.number", "Ihre Zahl",
	"schedule.list", "Ihre Temperaturen",
	"schedule.why", "Wie die inversen Temperaturen verteilt sind.",
	"schedule.learned", "Zuerst kommt ein Pilotlauf mit 100 Ketten durch 300 Temperaturen.",
	"schedule.draw", "Im Bild zeichnen",
}
