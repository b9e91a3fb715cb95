package words

// phrasesMethodsDE are the sentences of methods of tempering and annealing runs, by their English text.
var phrasesMethodsDE = []string{
	// geschätzte Likelihoods
	"Evidence from estimated likelihoods", "Evidenz aus geschätzten Likelihoods",
	"Who recovers? Twelve simulated wards with six patients each: a treatment, and wards that differ.",
	"Wer wird gesund? Zwölf simulierte Stationen mit je sechs Patienten: eine Behandlung, und Stationen, die " +
		"verschieden sind.",
	"Sixty simulated returns of a price whose volatility wanders: how quiet or wild a day is can only be guessed.",
	"Sechzig simulierte Renditen eines Kurses, dessen Volatilität wandert: Wie ruhig oder wild ein Tag ist, lässt " +
		"sich nur erraten.",
	"Forty noisy looks at a quantity that wanders about zero: how much of it is noise, and how much wandering?",
	"Vierzig verrauschte Blicke auf eine Größe, die um null wandert: Wie viel ist Rauschen, wie viel Wandern?",
	"Annealed importance sampling for likelihoods that are only estimated: particles are cooled from the prior to " +
		"the posterior and keep the estimates that brought them there.",
	"Annealed Importance Sampling für Likelihoods, die nur geschätzt sind: Partikel werden vom Prior zum Posterior " +
		"gekühlt und behalten die Schätzungen, die sie dorthin brachten.",
	"noisy likelihoods", "verrauschte Likelihoods",
	"Importance sampling squared: draws from the prior, each weighted by an estimate of its likelihood, which is " +
		"itself made from draws.",
	"Importance Sampling zum Quadrat: Ziehungen aus dem Prior, gewichtet mit je einer Schätzung ihrer Likelihood, die " +
		"selbst aus Ziehungen gemacht ist.",
	"noisy weights", "verrauschte Gewichte",
	"Noise of the likelihood", "Rauschen der Likelihood",
	"The likelihood is estimated so roughly that a lucky estimate is hard to leave.",
	"Die Likelihood ist so grob geschätzt, dass von einer glücklichen Schätzung kaum etwas wegführt.",
	"Use more draws for each estimate (inner).", "Mehr Ziehungen für jede Schätzung nehmen (inner).",
	"Use more temperatures or particles, or resample earlier (ess).",
	"Mehr Temperaturen oder Partikel nehmen, oder früher neu ziehen (ess).",
	"Acceptance", "Annahme",
	"Few moves are accepted, so particles that were copied stay copies.",
	"Wenige Züge werden angenommen; kopierte Partikel bleiben also Kopien.",
	"Use more moves, or more draws for each estimate (inner).",
	"Mehr Züge nehmen, oder mehr Ziehungen für jede Schätzung (inner).",
	"Two estimates", "Zwei Schätzungen",
	"The product of mean weights and the power posterior differ by more than their errors.",
	"Das Produkt der mittleren Gewichte und der Power-Posterior unterscheiden sich um mehr als ihre Fehler.",
	"Use more temperatures, or more particles.", "Mehr Temperaturen nehmen, oder mehr Partikel.",
	"Where the intercepts of groups are drawn from: a t distribution around their mode (laplace), or their prior.",
	"Woraus die Achsenabschnitte der Gruppen gezogen werden: aus einer t-Verteilung um ihren Modus (laplace) oder aus " +
		"ihrem Prior.",
	"Latent", "Latente Größen",
	"Random draws N behind each estimate of a likelihood: particles of the filter, or draws for each group; 0 " +
		"picks about the number that gives most for its time.",
	"Zufallsziehungen N hinter jeder Schätzung einer Likelihood: Partikel des Filters oder Ziehungen für jede Gruppe; " +
		"0 wählt etwa die Zahl, die für ihre Zeit am meisten bringt.",
	"Inner", "Innere Ziehungen",
	"How the hidden states are summed out: exactly (kalman), or by particles (filter).",
	"Wie die verborgenen Zustände aussummiert werden: genau (kalman) oder mit Partikeln (filter).",
	"Likelihood", "Likelihood",
	"Number M of particles in an island.", "Zahl M der Partikel einer Insel.",
	"Number M of draws in a set.", "Zahl M der Ziehungen eines Satzes.",
	// TI
	"Thermodynamic integration: how fast log f grows with the inverse temperature, averaged at each rung and " +
		"integrated over the ladder, is log Z.",
	"Thermodynamische Integration: wie schnell log f mit der inversen Temperatur wächst, auf jeder Sprosse " +
		"gemittelt und über die Leiter integriert, ist log Z.",
	"Thermodynamic integration in which every sample counts at every rung, by its probability there.",
	"Thermodynamische Integration, in der jede Ziehung auf jeder Sprosse zählt, mit ihrer Wahrscheinlichkeit dort.",
	"Rao-Blackwellized tempered sampling that counts the moves from rung to rung and asks how often each rung " +
		"is visited in the long run.",
	"Rao-Blackwellized Tempered Sampling, das die Wechsel von Sprosse zu Sprosse zählt und fragt, wie oft jede " +
		"Sprosse auf lange Sicht besucht wird.",
	"tempering, moves", "Tempern, Wechsel",
	"slopes", "Steigungen",
	"slopes, weighted", "Steigungen, gewichtet",
	"Integration error", "Integrationsfehler",
	"The rungs are too far apart for the rule of integration.",
	"Die Sprossen liegen für die Integrationsregel zu weit auseinander.",
	"Use more temperatures, or rts.", "Mehr Temperaturen nehmen, oder rts.",
	"Rungs without samples", "Sprossen ohne Ziehungen",
	"Where no chain was, the slope is a guess.", "Wo keine Kette war, ist die Steigung geraten.",
	"Use more sweeps, or fewer temperatures.", "Mehr Schritte nehmen, oder weniger Temperaturen.",
	"Rule of integration between the rungs: right gives too much, left too little, corrected adds the next order to the " +
		"trapezoid.",
	"Integrationsregel zwischen den Sprossen: right ist zu hoch, left zu niedrig, corrected fügt die nächste " +
		"Ordnung hinzu.",
	"Rule", "Regel",
	"Chains that move among the rungs, shared with the other readers of the run (tempered), or that each stay at " +
		"one (fixed).",
	"Ketten, die zwischen den Sprossen wandern, gemeinsam mit den anderen Lesern des Laufs (tempered), oder die " +
		"je auf einer bleiben (fixed).",
	"Samples", "Ziehungen",
	"The corrected trapezoid changes more than half of what lies between the trapezoid and the right rule: the " +
		"rungs are too far apart for it.",
	"Das korrigierte Trapez ändert mehr als die Hälfte dessen, was zwischen Trapez und rechter Regel liegt: die " +
		"Sprossen liegen dafür zu weit auseinander.",
	"Some rungs have no samples, so their mean slope is interpolated from their neighbours.",
	"Manche Sprossen haben keine Ziehungen; ihre mittlere Steigung ist aus den Nachbarn interpoliert.",
	"Bennett's acceptance ratio: the samples of two neighbouring rungs tell how far apart their log Z are, and the " +
		"steps along the ladder add up.",
	"Bennetts Akzeptanzverhältnis: Die Stichproben zweier Nachbarsprossen sagen, wie weit ihre log Z auseinander " +
		"liegen, und die Stufen der Leiter summieren sich.",
	"pairs of rungs", "Sprossenpaare",
	"Multistate Bennett acceptance ratio: every sample is weighed under every rung, and all log Z are found together " +
		"by maximum likelihood.",
	"Bennetts Akzeptanzverhältnis für viele Zustände: Jede Stichprobe wird unter jeder Sprosse gewogen, und alle log Z " +
		"werden gemeinsam als wahrscheinlichste Werte gefunden.",
	"all rungs at once", "alle Sprossen zugleich",
	"solve", "Lösen",
	"trial", "Probelauf",
	"second opinion", "zweite Meinung",
	"Some neighbouring rungs share no samples, so log Z cannot be carried over from one to the other: use more " +
		"temperatures or sweeps.",
	"Manche Nachbarsprossen haben keine gemeinsamen Stichproben, darum ist log Z nicht von einer zur anderen zu " +
		"übertragen: mehr Temperaturen oder Schritte nehmen.",
	"The equations for all rungs were not solved to the last digits: rungs share too few samples. Use more sweeps.",
	"Die Gleichungen für alle Sprossen sind nicht bis auf die letzten Ziffern gelöst: Die Sprossen haben zu wenige " +
		"gemeinsame Stichproben. Mehr Schritte nehmen.",
	"Overlap of neighbours", "Überlappung der Nachbarn",
	"Some neighbouring rungs have few samples in common, and log Z is carried over from one to the other by these " +
		"alone.",
	"Manche Nachbarsprossen haben wenige gemeinsame Stichproben, und nur diese übertragen log Z von einer zur anderen.",
	"Add rungs, or choose a schedule that has more of them there.",
	"Sprossen zufügen, oder eine Abstufung wählen, die dort mehr davon hat.",
	"Chains of one rung", "Ketten einer Sprosse",
	"Chains at the same rung differ by more than their own sweeps tell: they have not forgotten where they began, and " +
		"the error bar may be too short.",
	"Ketten auf derselben Sprosse unterscheiden sich mehr, als ihre eigenen Schritte erwarten lassen: Sie haben " +
		"nicht vergessen, wo sie begannen, und der Fehlerbalken kann zu kurz sein.",
	"Use samples = tempered, or more sweeps.", "samples = tempered nehmen, oder mehr Schritte.",
	"Samples at each rung", "Stichproben je Sprosse",
	"Some rung has so few samples that they say little of it, and of their own error.",
	"Eine Sprosse hat so wenige Stichproben, dass sie wenig über sie und ihren eigenen Fehler sagen.",
	"Some rung was never visited, so its log Z has no error bar: use more sweeps, or more initial rounds.",
	"Eine Sprosse wurde nie besucht, ihr log Z hat darum keinen Fehlerbalken: mehr Schritte oder mehr " +
		"Anfangsrunden nehmen.",
	"Tempered sampling: chains wander up and down the ladder, and the number of visits to each rung gives its log Z.",
	"Tempern mit Zählen: Ketten wandern die Leiter auf und ab, und die Zahl der Besuche jeder Sprosse gibt ihr log Z.",
	"visits", "Besuche",
	"Absent", "Fehlende",
	"How the units of an RBM that are not formed yet act on its hidden units: by weights that fit samples of a " +
		"short run, which also orders the units (sampled), not at all (off, as in the paper), by their base rates " +
		"(rates), or by rates that mean-field theory makes of those (mean-field).",
	"Wie noch nicht gebildete Einheiten einer Boltzmann-Maschine auf die verdeckten wirken: mit Gewichten, die zu " +
		"Stichproben eines kurzen Laufs passen, der auch die Reihenfolge bestimmt (sampled), gar nicht (off, wie im " +
		"Aufsatz), mit ihren Grundraten (rates) oder mit Raten, die die Molekularfeldnäherung daraus macht (mean-field).",
	"by itself", "von selbst",
	"Chooses annealing or tempering after a short pilot, works until the error bar is as small as wanted, and asks the " +
		"other one for a second opinion.",
	"Wählt nach kurzem Vorlauf Abkühlung oder Tempern, rechnet, bis der Fehlerbalken klein genug ist, und holt vom " +
		"anderen Weg eine zweite Meinung.",
	"Another road", "Der andere Weg",
	"Annealing and tempering find different log Z, so at least one of them misses part of the target.",
	"Abkühlung und Tempern finden verschiedene log Z, also verpasst mindestens eines einen Teil des Ziels.",
	"Want a smaller error bar: both roads then work longer. Or give ais-bar or rts more work by hand.",
	"Einen kleineren Fehlerbalken verlangen: Beide Wege rechnen dann länger. Oder ais-bar oder rts von Hand mehr Arbeit " +
		"geben.",
	"Want a smaller error bar: both then work longer. Do not use the number until they agree.",
	"Einen kleineren Fehlerbalken verlangen: Beide rechnen dann länger. Bis sie einig sind, die Zahl nicht verwenden.",
	// Wie Fehlerbalken entstehen
	"There is no error bar.", "Es gibt keinen Fehlerbalken.",
	"The error bar is made from the spread of the weights, to first order in it (delta method).",
	"Der Fehlerbalken stammt aus der Streuung der Gewichte, in erster Ordnung (Delta-Methode).",
	"The error bar is made by leaving out chains in turn (jackknife).",
	"Der Fehlerbalken entsteht, indem reihum Ketten weggelassen werden (Jackknife).",
	"The error bar is made from the spread between data.",
	"Der Fehlerbalken stammt aus der Streuung zwischen Daten.",
	"The error bar is made from the spread between independent chains.",
	"Der Fehlerbalken stammt aus der Streuung zwischen unabhängigen Ketten.",
	"The error bar is made from the spread between chains that stay at the same rung.",
	"Der Fehlerbalken folgt aus der Streuung zwischen Ketten, die auf derselben Sprosse bleiben.",
	"The error bar is made from the spread between batches of sweeps within the chains, which stay at their rungs.",
	"Der Fehlerbalken folgt aus der Streuung zwischen Abschnitten der Ketten, die auf ihren Sprossen bleiben.",
	"The error bar is made from the spread between batches of sweeps within the chains.",
	"Der Fehlerbalken stammt aus der Streuung zwischen Abschnitten der Ketten.",
	"The error bar is made from the spread between independent chains, carried through the equations that are solved " +
		"(sandwich).",
	"Der Fehlerbalken stammt aus der Streuung zwischen unabhängigen Ketten, durch die gelösten Gleichungen getragen " +
		"(Sandwich).",
	"The error bar is made from the spread between batches of sweeps within the chains, carried through the equations " +
		"that are solved (sandwich).",
	"Der Fehlerbalken stammt aus der Streuung zwischen Abschnitten der Ketten, durch die gelösten Gleichungen getragen " +
		"(Sandwich).",
	"The error bar is made from the spread between islands, independent sets of particles.",
	"Der Fehlerbalken stammt aus der Streuung zwischen Inseln, unabhängigen Mengen von Partikeln.",
	"The error bar is made from the spread between independent runs.",
	"Der Fehlerbalken stammt aus der Streuung zwischen unabhängigen Läufen.",
	"The error bar is made from those of independent runs and from the spread between them; the larger one counts.",
	"Der Fehlerbalken stammt aus denen unabhängiger Läufe und aus der Streuung zwischen ihnen; der größere zählt.",
}
