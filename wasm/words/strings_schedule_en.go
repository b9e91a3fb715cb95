package words

// wordsScheduleEN are the words of schedules.
var wordsScheduleEN = []string{
	"schedule.linear", "even steps (linear)",
	"schedule.power", "slow start (power)",
	"schedule.geometric", "equal ratios (geometric)",
	"schedule.sigmoid", "slow at both ends (sigmoid)",
	"schedule.sm08", "slow end (sm08)",
	"schedule.varopt", "optimal (varopt)",
	"schedule.varopt:", "optimal with a top speed (varopt:v)",
	"schedule.friction", "slow where chains lag (friction)",
	"schedule.gms13", "by moments (gms13)",
	"schedule.adaptive", "by effective sample size (adaptive)",
	"schedule.betas", "drawn by hand (betas)",
	"schedule.number", "Its number",
	"schedule.list", "Its temperatures",
	"schedule.why", "How the inverse temperatures are spaced.",
	"schedule.learned", "A pilot of 100 chains through 300 temperatures comes first.",
	"schedule.draw", "Draw it in the picture",
}
