package state

// Lab is the link to the lab with its default experiment; the address without a link shows the hero.
const Lab = "lab"

// HeroLink is the first experiment of the hero, with the stroke that is drawn before the visitor draws. `tool hero`
// packs its frames; a test compares them, and HeroResult, with a run.
const HeroLink = "v=1&model=rbm-pcd-20&method=smc&clamp=205i11-233i11-269i3-296i3-324i3-352i2&smc.islands=8" +
	"&smc.schedule=linear&smc.temperatures=140"

// HeroResult is the result of HeroLink.
var HeroResult = Odds{LogP: -12.898738810411231, SE: 0.07095236940247979, OneIn: "400,000",
	Exact: -12.964451374740946, HasExact: true, Level: "trust"}

// HeroSamples is the number of particles that the hero shows.
const HeroSamples = 24

// Hero is the state of the page at the address without a link. It must not know how experiments run.
type Hero struct {
	On    bool
	Drawn bool // the experiment is the visitor's own drawing
	Odds  Odds // the last known ones
	Stale bool // the odds belong to a previous drawing
}

// Odds describe the probability of a drawing.
type Odds struct {
	LogP, SE float64
	OneIn    string // 1/probability, "" while it is not known
	Exact    float64
	HasExact bool
	Level    string // level of the verdict, "" while there is none
}
