package state

// Lab is the link of the lab's own experiment; the address without a link is the hero.
const Lab = "lab"

// HeroLink is the experiment of the hero: a stroke that a hand draws there before a visitor does. `tool hero` packs its
// frames, and a test compares them, and HeroResult, with a run.
const HeroLink = "v=1&model=rbm-pcd-20&method=smc&clamp=205i11-233i11-269i3-296i3-324i3-352i2&smc.islands=8" +
	"&smc.schedule=linear&smc.temperatures=140"

// HeroResult is what the run of HeroLink gives.
var HeroResult = Odds{LogP: -12.898738810411231, SE: 0.07095236940247979, OneIn: "400,000",
	Exact: -12.964451374740946, HasExact: true, Level: "trust"}

// HeroDreams is how many particles the hero shows.
const HeroDreams = 24

// Hero is the page at the address without a link. It must not know how experiments run.
type Hero struct {
	On    bool
	Drawn bool // the experiment is the visitor's own drawing
	Odds  Odds // as last known; they stay until others come
	Old   bool // they are of a drawing before
}

// Odds are how likely a drawing is.
type Odds struct {
	LogP, SE float64
	OneIn    string // "" while nothing is known
	Exact    float64
	HasExact bool
	Level    string // of the verdict, "" while there is none
}
