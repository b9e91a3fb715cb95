package words

// phrasesDE are the sentences and names of models, methods and parameters, by their English text.
var phrasesDE = []string{
	"Gaussian mixtures", "Gauß-Mischungen",
	"Bernoulli mixtures", "Bernoulli-Mischungen",
	"Ten blurred digits of 10 x 10 cells, the ten modes of a Bernoulli mixture, the smaller digits heavier.",
	"Zehn unscharfe Ziffern aus 10 x 10 Zellen, die zehn Modi einer Bernoulli-Mischung, kleinere Ziffern schwerer.",
	"Ising lattices", "Ising-Gitter",
	"Boltzmann machines trained on MNIST", "Boltzmann-Maschinen, an MNIST trainiert",
	"Gaussian-process classifiers", "Klassifikation mit Gauß-Prozessen",
	"Evidence in closed form", "Evidenz in geschlossener Form",

	// Modelle und Verfahren
	"Three hills of unequal mass in the plane, found from one wide hill.",
	"Drei Hügel ungleicher Masse in der Ebene, von einem breiten Hügel aus gefunden.",
	"Two narrow Gaussians, seven standard deviations apart, in ten dimensions.",
	"Zwei schmale Gauß-Hügel in zehn Dimensionen, sieben Standardabweichungen auseinander.",
	"A line through twelve points: intercept and slope, with a wide normal prior.",
	"Eine Gerade durch zwölf Punkte: Achsenabschnitt und Steigung, mit breitem normalem Prior.",
	"The twelve points of linreg-line, about one level: no slope.",
	"Die zwölf Punkte von linreg-line, um eine einzige Höhe: ohne Steigung.",
	"The twelve points of linreg-line, about a parabola: level, slope and bend.",
	"Die zwölf Punkte von linreg-line, um eine Parabel: Höhe, Steigung und Krümmung.",
	"The sixty returns of sv-60, every day as restless as any other.",
	"Die sechzig Renditen von sv-60, jeder Tag so unruhig wie jeder andere.",
	"Fourteen heads in twenty throws of a coin that is thought to be fair, more or less.",
	"Vierzehnmal Kopf in zwanzig Würfen einer Münze, die man für einigermaßen fair hält.",
	"Twelve measurements of which neither the mean nor the variance is known.",
	"Zwölf Messwerte, deren Mittelwert und Varianz unbekannt sind.",
	"Transitions in one sweep.", "Übergänge in einem Sweep.",
	"A 16 x 16 Ising lattice close to its critical temperature.",
	"Ein Ising-Gitter von 16 x 16 Spins nahe seiner kritischen Temperatur.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes " +
		"the density near the data, so its free samples do not look like digits.",
	"Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit CD-1 an MNIST-Ziffern trainiert. CD-1 formt " +
		"die Dichte nur nahe den Daten; freie Ziehungen sehen nicht wie Ziffern aus.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-25.",
	"Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit CD-25 an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by persistent CD.",
	"Eine Boltzmann-Maschine mit 20 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 100 hidden units, trained on MNIST digits by persistent CD.",
	"Eine Boltzmann-Maschine mit 100 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes " +
		"the density near the data, so its free samples do not look like digits.",
	"Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit CD-1 an MNIST-Ziffern trainiert. CD-1 formt " +
		"die Dichte nur nahe den Daten; freie Ziehungen sehen nicht wie Ziffern aus.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-25.",
	"Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit CD-25 an MNIST-Ziffern trainiert.",
	"A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by persistent CD.",
	"Eine Boltzmann-Maschine mit 500 verborgenen Einheiten, mit persistenter CD an MNIST-Ziffern trainiert.",
	"Importance sampling: independent draws from the base, each weighted by how much more likely the target makes it.",
	"Importance Sampling: unabhängige Ziehungen vom Anfang, jede gewichtet damit, wie viel wahrscheinlicher " +
		"das Ziel sie macht.",
	"Annealed importance sampling: chains are cooled from the base to the target, and each carries a weight " +
		"whose mean is Z.",
	"Annealed Importance Sampling: Ketten werden vom Anfang zum Ziel abgekühlt; jede trägt ein Gewicht, " +
		"dessen Mittel Z ist.",
	"Rao-Blackwellized tempered sampling: chains wander up and down the ladder, and the exact chance of each " +
		"rung, averaged over the run, gives every log Z.",
	"Rao-Blackwellized Tempered Sampling: Ketten wandern die Leiter auf und ab; die gemittelte " +
		"Wahrscheinlichkeit jeder Sprosse gibt jedes log Z.",
	"Resample-move: particles grow unit by unit, are moved at every stage and resampled where their weights " +
		"are uneven; the mean weights multiply up to Z.",
	"Resample-Move: Partikel wachsen Einheit um Einheit, ziehen auf jeder Stufe und werden bei ungleichen " +
		"Gewichten neu gezogen; die mittleren Gewichte ergeben zusammen Z.",
	"Adaptive resample-move: particles grow unit by unit, and where their weights are uneven, copies of them " +
		"are moved on and join them.",
	"Adaptives Resample-Move: Partikel wachsen Einheit um Einheit; wo ihre Gewichte ungleich sind, ziehen " +
		"Kopien weiter und kommen hinzu.",
	"ARM that, where weights are uneven, adds more copies of the particles that the next stage will favour.",
	"ARM, das bei ungleichen Gewichten mehr Kopien der Partikel zufügt, die die nächste Stufe begünstigt.",
	"ARM that, where weights are uneven, adds new particles, started from data and moved for long.",
	"ARM, das bei ungleichen Gewichten neue Partikel zufügt, von Daten ausgehend und lange gezogen.",
	"Resample-move with more particles at stages where weights vary more: a short pilot run finds how many.",
	"Resample-Move mit mehr Partikeln, wo die Gewichte mehr streuen; ein kurzer Vorlauf findet, wie viele.",
	"Sequential Monte Carlo: particles are cooled from the base to the target, weighted at every step, and " +
		"resampled where their weights are uneven.",
	"Sequential Monte Carlo: Partikel werden vom Anfang zum Ziel abgekühlt, bei jedem Schritt gewichtet und " +
		"bei ungleichen Gewichten neu gezogen.",

	// was ein Verfahren tut
	"plain draws", "einfach ziehen",
	"both ways", "hin und zurück",
	"from data", "von Daten",
	"Annealing both ways: chains go from the base to the target and back, and the acceptance ratio joins the " +
		"weights of both ways into one estimate.",
	"Abkühlen hin und zurück: Ketten gehen vom Anfang zum Ziel und zurück; Bennetts Verfahren fügt die Gewichte " +
		"beider Wege zu einer Schätzung.",
	"Reverse annealing: chains start at data and are warmed to the base, which bounds how likely the model finds " +
		"each datum, and log Z from above.",
	"Umgekehrtes Abkühlen: Ketten beginnen bei Daten und werden zum Anfang erwärmt; das gibt eine Schranke dafür, " +
		"wie wahrscheinlich das Modell jedes Datum findet, und log Z von oben.",
	"cool slowly", "abkühlen",
	"up and down", "auf und ab",
	"resampling", "neu ziehen",
	"adaptive", "adaptiv",
	"looks ahead", "vorausschauend",
	"starts anew", "frisch",
	"planned", "geplant",

	// Einstellungen
	"Particles", "Partikel",
	"Chains", "Ketten",
	"Temperatures", "Temperaturen",
	"Schedule", "Abstufung",
	"Sweeps", "Schritte",
	"Burn in", "Einlauf",
	"Init", "Anfang",
	"Init rounds", "Anfangsrunden",
	"Init sweeps", "Anfangsschritte",
	"Merge", "Zusammenlegen",
	"Moves", "Züge",
	"Beta", "Beta",
	"Start", "Ausgang",
	"Form", "Form",
	"Path", "Pfad",
	"Order", "Reihenfolge",
	"Number of independent draws from the base.", "Zahl der unabhängigen Ziehungen vom Anfang.",
	"Number of independent annealing runs, each giving one weight.",
	"Zahl der unabhängigen Abkühlungen; jede gibt ein Gewicht.",
	"Number of inverse temperatures from 0 to 1, both ends counted.",
	"Zahl der inversen Temperaturen von 0 bis 1, beide Enden gezählt.",
	"How the inverse temperatures are spaced: " +
		"linear, power:p (0 < p ≤ 1000), geometric:bmin (0 < bmin < 1), sigmoid:r (0 < r ≤ 1000), sm08; from a " +
		"pilot: varopt, varopt:v (at most v times as fast as linear, 1 ≤ v ≤ 1000), friction, gms13, " +
		"adaptive:a (0 < a < 1); or betas:b_b_... (your own, rising between 0 and 1).",
	"Wie die inversen Temperaturen liegen: " +
		"linear, power:p (0 < p ≤ 1000), geometric:bmin (0 < bmin < 1), sigmoid:r (0 < r ≤ 1000), sm08; nach einem " +
		"Vorlauf: varopt, varopt:v (höchstens v mal so schnell wie linear, 1 ≤ v ≤ 1000), friction, gms13, " +
		"adaptive:a (0 < a < 1); oder betas:b_b_... (eigene, steigend zwischen 0 und 1).",
	"Kernel applications at each temperature between the ends.", "Schritte an jeder Temperatur zwischen den Enden.",
	"Number of tempering chains run side by side.", "Zahl der Ketten, die nebeneinander laufen.",
	"Number of rungs K of the ladder, both ends counted.", "Zahl K der Sprossen, beide Enden gezählt.",
	"Sweeps of each chain that are kept for the estimate.", "Schritte jeder Kette, die in die Schätzung eingehen.",
	"Sweeps of each chain discarded before those kept; -1 means 10 % of them, at least 20.",
	"Schritte jeder Kette, die vorher verworfen werden; -1 heißt 10 %, mindestens 20.",
	"First guess of the rungs' log Z: one annealing pass (ais), all equal as in the paper (ones), or weights that " +
		"adapt as wl or sams does.",
	"Erster Tipp für log Z der Sprossen: eine Abkühlung (ais), alle gleich wie im Aufsatz (ones) oder Gewichte, die " +
		"sich anpassen wie bei wl oder sams.",
	"Sweeps of each chain in which the weights adapt, with init = wl or sams.",
	"Schritte jeder Kette, in denen sich die Gewichte anpassen, mit init = wl oder sams.",
	"Adapt sweeps", "Anpassung",
	"Number of tempering chains in an island; they adapt together.",
	"Zahl der Ketten einer Insel; sie passen sich gemeinsam an.",
	"Number of independent islands of chains; their spread gives the error bar.",
	"Zahl der unabhängigen Inseln von Ketten; ihre Streuung gibt den Fehlerbalken.",
	"Sweeps of each chain.", "Schritte jeder Kette.",
	"Largest number of initial iterations that improve the guess; a stop rule may end them earlier. Use 10 " +
		"or more with init = ones.",
	"Höchstzahl der Anfangsrunden, die den Tipp bessern; eine Regel kann sie früher beenden. Mit init = ones " +
		"10 oder mehr wählen.",
	"Sweeps of each chain in one initial iteration.", "Schritte jeder Kette in einer Anfangsrunde.",
	"Whether the initial iterations that were nearly flat are merged into the estimate by maximum likelihood.",
	"Ob fast gleichmäßige Anfangsrunden mit in die Schätzung eingehen.",
	"Metropolis-Hastings steps in one sweep.", "Metropolis-Hastings-Züge in einem Schritt.",
	"Proposal", "Vorschlag",
	"Kernel: random-walk Metropolis-Hastings (mh), or Hamiltonian, whose step sizes a pilot run finds (hmc), and " +
		"the number of its leaps too (hmc_tuned).",
	"Kern: Metropolis-Hastings mit zufälligen Schritten (mh), oder Hamiltonsch mit Schritten aus einem Vorlauf (hmc), " +
		"der auch ihre Zahl findet (hmc_tuned).",
	"Inverse temperature of the lattice; empty means the model's own, 0.44 where it names none.",
	"Inverse Temperatur des Gitters; leer heißt die des Modells, sonst 0.44.",
	"The base that annealing starts from: the base rates of the data, the logistic of the visible biases, or " +
		"coins (uniform).",
	"Wovon die Abkühlung ausgeht: Grundraten der Daten, die sichtbaren Biases oder Münzen (uniform).",
	"The order in which rm and arm form the visible units, where their parameter absent leaves it free: most " +
		"varying first (variance), as they are numbered (natural), or shuffled once (random).",
	"In welcher Folge rm und arm die sichtbaren Einheiten bilden, wo ihr Parameter absent sie frei lässt: die " +
		"wechselhaftesten zuerst (variance), wie nummeriert (natural) oder einmal gemischt (random).",
	"Clamp", "Zeichnung",
	"Pixels that are fixed to ink (i) or paper (p), as 205i3-233p: ink at 205, 206 and 207, paper at 233. log Z is " +
		"then over the other pixels, and less the log Z of all it is log p of the drawing.",
	"Pixel, die auf Tinte (i) oder Papier (p) festgehalten sind, wie 205i3-233p: Tinte auf 205, 206 und 207, Papier auf " +
		"233. log Z ist dann das der anderen Pixel; ohne das log Z aller ist es log p der Zeichnung.",
	"Whether the hidden units are summed out of every density (marginal) or kept (joint).",
	"Ob die verborgenen Einheiten aus jeder Dichte ausgesummt sind (marginal) oder bleiben (joint).",
	"Between base and target: their weighted geometric mean, or machines whose mean units and pairs of units are the " +
		"weighted means of both (moments).",
	"Zwischen Start und Ziel: ihr gewichtetes geometrisches Mittel, oder Maschinen, deren mittlere Einheiten und Paare " +
		"von Einheiten die gewichteten Mittel beider sind (moments).",
	"Islands", "Inseln",
	"Gamma", "Gamma",
	"Ess", "ESS",
	"I max", "Höchstens",
	"Resample", "Neuziehen",
	"Discard initial", "Erste verwerfen",
	"Extra copies", "Mehr Kopien",
	"Reseed sweeps", "Schritte neuer",
	"Number R of particles in an island.", "Zahl R der Partikel einer Insel.",
	"Number of independent sets of particles; their spread gives the error bar.",
	"Zahl unabhängiger Mengen von Partikeln; ihre Streuung gibt den Fehlerbalken.",
	"Kernel applications to each particle at a stage; with absent = sampled only where the new units weigh enough.",
	"Schritte jedes Partikels auf einer Stufe; mit absent = sampled nur, wo die neuen Einheiten genug Gewicht haben.",
	"Ratio of effective sample size to particles below which more particles are generated.",
	"Verhältnis von effektiver Stichprobe zu Partikeln, unter dem mehr Partikel erzeugt werden.",
	"Ratio below which particles are resampled; -1 means gamma.",
	"Verhältnis, unter dem neu gezogen wird; -1 heißt gamma.",
	"Ratio of effective sample size to particles below which particles are resampled.",
	"Verhältnis von effektiver Stichprobe zu Partikeln, unter dem neu gezogen wird.",
	"Largest number of batches generated at one stage.", "Höchstzahl der Stöße, die auf einer Stufe erzeugt werden.",
	"How offspring are drawn in proportion to the weights.",
	"Wie Nachkommen im Verhältnis der Gewichte gezogen werden.",
	"Whether the first particles of a stage are dropped when more are generated, as the paper's listing does.",
	"Ob die ersten Partikel einer Stufe verworfen werden, wenn mehr erzeugt werden, wie im Listing des Aufsatzes.",
	"Whether a promising particle gets one copy more than its share.",
	"Ob ein vielversprechendes Partikel eine Kopie mehr als seinen Anteil bekommt.",
	"Kernel applications to each new particle.", "Schritte jedes neuen Partikels.",
	"Adaptive", "Adaptiv",
	"Cess", "CESS",
	"Kernel applications to each particle at every temperature between the ends.",
	"Schritte jedes Partikels an jeder Temperatur zwischen den Enden.",
	"Whether each island picks its own temperatures among those of the schedule, as far apart as cess allows.",
	"Ob jede Insel ihre Temperaturen aus denen der Abstufung wählt, so weit auseinander, wie cess erlaubt.",
	"With adaptive = yes, the conditional effective sample size that a step must keep, as a share of the particles.",
	"Bei adaptive = yes: welchen Anteil der Partikel die bedingte effektive Stichprobe eines Schritts behalten muss.",

	// Gauß-Prozesse
	"A Gaussian process that classifies 30 points on a line: smooth random functions, held down by one label " +
		"after the other.",
	"Ein Gauß-Prozess, der 30 Punkte auf einer Linie einteilt: glatte Zufallsfunktionen, von einem Etikett " +
		"nach dem anderen festgehalten.",
	"The same 30 points under rough random functions (Ornstein-Uhlenbeck), whose exact log Z is known after " +
		"every label.",
	"Dieselben 30 Punkte unter rauen Zufallsfunktionen (Ornstein-Uhlenbeck), deren exaktes log Z nach jedem " +
		"Etikett bekannt ist.",
	"A Gaussian process that classifies 60 points in two interlocking half rings.",
	"Ein Gauß-Prozess, der 60 Punkte in zwei verschränkten Halbringen einteilt.",
	"A Gaussian process that tells 100 handwritten threes from 100 fives (MNIST, averaged to 16 x 16).",
	"Ein Gauß-Prozess, der 100 handgeschriebene Dreien von 100 Fünfen unterscheidet (MNIST, auf 16 x 16 gemittelt).",
	"Kernel", "Kern",
	"Amplitude", "Amplitude",
	"Length", "Länge",
	"Sampler", "Zieher",
	"Base", "Basis",
	"Eps", "Eps",
	"Leaps", "Sprünge",
	"Covariance function: the model's own (rbf where it names none), squared exponential (rbf) or " +
		"Ornstein-Uhlenbeck (ou).",
	"Kovarianzfunktion: die des Modells (rbf, wo es keine nennt), quadratisch-exponentiell (rbf) oder " +
		"Ornstein-Uhlenbeck (ou).",
	"Prior standard deviation of the latent function; 0 means the model's own, 1 where it names none.",
	"Standardabweichung der latenten Funktion a priori; 0 heißt die des Modells, sonst 1.",
	"Length scale of the latent function; 0 means the model's own, the root mean square distance of the data " +
		"where it names none.",
	"Längenskala der latenten Funktion; 0 heißt die des Modells, sonst der quadratisch gemittelte Abstand der Daten.",
	"Kernel of tempered runs: whitened Hamiltonian (hmc), elliptical slice (ess), Hamiltonian in the latent " +
		"values (hmc_plain) or Riemannian (rmhmc, at most 100 data).",
	"Übergang beim Abkühlen: Hamiltonsch in weißen Koordinaten (hmc), elliptische Scheiben (ess), " +
		"Hamiltonsch in den latenten Werten (hmc_plain) oder Riemannsch (rmhmc, höchstens 100 Daten).",
	"Where tempered runs start: from the prior, or from the Gaussian that expectation propagation finds (ep).",
	"Wovon die Abkühlung ausgeht: von der Prior-Verteilung oder von der Gauß-Verteilung, die Expectation " +
		"Propagation findet (ep).",
	"Step of the Hamiltonian samplers; 0 means the sampler's own.",
	"Schrittweite der Hamiltonschen Verfahren; 0 heißt die eigene.",
	"Data", "Daten",
	"Data rows beside an own model, by the first 12 hex digits of the SHA-256 of their file: they give the base rates, " +
		"if the model has none, and what raise starts from.",
	"Datenzeilen neben einem eigenen Modell, benannt nach den ersten 12 Hexziffern des SHA-256 ihrer Datei: sie geben " +
		"die Grundraten, wenn das Modell keine hat, und womit raise beginnt.",
	"Leapfrog steps in one transition of the Hamiltonian samplers; 0 means the sampler's own.",
	"Leapfrog-Schritte eines Übergangs der Hamiltonschen Verfahren; 0 heißt die eigene Zahl.",
	"The order in which the data come, their own or a fixed random one.",
	"Die Folge, in der die Daten kommen: ihre eigene oder eine feste zufällige.",
	"The file gives no length scale, so the root mean square distance of the data was taken; see the diagnostics.",
	"Die Datei nennt keine Längenskala; genommen wurde der quadratisch gemittelte Abstand der Daten, siehe Diagnose.",
	"Expectation propagation did not settle, so its log Z is not quoted.",
	"Expectation Propagation kam nicht zur Ruhe; ihr log Z wird nicht genannt.",
}
