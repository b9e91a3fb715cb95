package estimators

// Kinds of standard errors: the values of Result.SEMethod.
const (
	SENone          = "none"
	SEDelta         = "delta"
	SEJackknife     = "jackknife"
	SEChains        = "between chains"
	SEBatches       = "batches within chains"
	SEFixed         = "between fixed chains"
	SEFixedBatches  = "batches within fixed chains"
	SERobust        = "sandwich between chains"
	SERobustBatches = "sandwich between batches"
	SESteps         = "between chains of a step"
	SEData          = "between data"
	SEIslands       = "islands"
	SEFewIslands    = "few islands"
	SEReplicates    = "replicates"
	SEPooled        = "runs"
	SECubature      = "cubature"
)

// SEMeans has for each kind of standard error a sentence for users.
var SEMeans = map[string]string{
	SENone:      "There is no error bar.",
	SEDelta:     "The error bar is made from the spread of the weights, to first order in it (delta method).",
	SEJackknife: "The error bar is made by leaving out chains in turn (jackknife).",
	SEChains:    "The error bar is made from the spread between independent chains.",
	SEBatches:   "The error bar is made from the spread between batches of sweeps within the chains.",
	SEFixed:     "The error bar is made from the spread between chains that stay at the same rung.",
	SEFixedBatches: "The error bar is made from the spread between batches of sweeps within the chains, which stay at " +
		"their rungs.",
	SERobust: "The error bar is made from the spread between independent chains, carried through the equations that " +
		"are solved (robust covariance).",
	SERobustBatches: "The error bar is made from the spread between batches of sweeps within the chains, carried " +
		"through the equations that are solved (robust covariance).",
	SESteps: "The error bar is made from the spread between chains that have drawn their inverse temperatures in the " +
		"same step of the ladder.",
	SEData:    "The error bar is made from the spread between data.",
	SEIslands: "The error bar is made from the spread between independent groups of particles (islands).",
	SEFewIslands: "The error bar is made from the spread between independent groups of particles (islands), and " +
		"lengthened because there are few of them.",
	SEReplicates: "The error bar is made from the spread between independent runs.",
	SECubature: "The error bar is the difference of two computations with other grids and scales, and the estimated error " +
		"of the rule.",
	SEPooled: "The error bar is made from those of independent runs and from the spread between them; the larger one " +
		"counts.",
}
