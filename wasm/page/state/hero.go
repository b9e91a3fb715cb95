package state

// StrokeLink begins links to the hero with a stroke; the text of a drawing (frame.Drawing) follows.
const StrokeLink = "stroke="

// Lab is the link of the lab's own experiment; the address without a link is the hero.
const Lab = "lab"

// HeroLink is the first experiment of the hero, with the stroke that is drawn before the visitor draws. `tool hero`
// packs its frames; a test compares them, and HeroResult, with a run.
const HeroLink = "v=1&model=rbm-pcd-20&method=smc&clamp=205i11-233i11-269i3-296i3-324i3-352i2&smc.islands=8" +
	"&smc.schedule=linear&smc.temperatures=140"

// HeroResult is the result of HeroLink, shown before any program has loaded.
var HeroResult = Odds{Known: true, LogP: -12.898738810411231, SE: 0.07095236940247979, LogZWithDrawing: 199.96308409241564,
	LogZFree: 212.86182290282687, FreeIsExact: true, Exact: -12.964451374740946, HasExact: true, Level: "trust"}

// HeroParticles is the number of particles of HeroLink.
const HeroParticles = 800

// HeroPixels is the number of pixels of a picture of HeroLink.
const HeroPixels = 28 * 28

// HeroSamples is the number of particles that the hero shows.
const HeroSamples = 24

// Hero is the state of the page at the address without a link. It must not depend on how experiments run.
type Hero struct {
	Shown          bool
	OwnDrawing     bool // the experiment is the visitor's own drawing
	Odds           Odds // the latest odds; the page shows them until it has new ones
	Outdated       bool // Odds belong to an earlier drawing
	AwaitsLinkOdds bool // Odds will be those of the drawing in the link
	LinkOdds       Odds // odds of the drawing in the link; Known is false if the link has no drawing
}

// Odds say how likely a drawing is: log P(drawing) = With - Free.
type Odds struct {
	Known                     bool
	LogP, SE                  float64 // in nats
	LogZWithDrawing, LogZFree float64 // log Z of the pictures that contain the drawing, and of all pictures
	FreeIsExact               bool
	Exact                     float64 // log P(drawing)
	HasExact                  bool
	Level                     string  // of the verdict, "" before it is known
	Reason                    string  // why the verdict is not trust, in English
	Seconds                   float64 // that the run took, 0 if unknown
}
