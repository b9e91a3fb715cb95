package words

// phrasesTrainingDE belongs to phrasesDE: the parameters of a training.
var phrasesTrainingDE = []string{
	"Hidden", "Verborgene", "Updates", "Schritte", "Batch", "Stapel", "Rate", "Rate", "Last", "Ende", "Gradient",
	"Gradient", "K", "K", "Ramp", "Rampe", "Decay", "Abnahme", "Alpha", "Alpha", "Patience",
	"Geduld", "Check", "Prüfung",
	"Rows", "Zeilen", "Number of data rows that are used, drawn by the seed; 0: all.",
	"Zahl der Datenzeilen, die benutzt werden, vom Startwert gezogen; 0: alle.",
	"Number of hidden units.", "Zahl der verborgenen Einheiten.",
	"Number of updates of the weights.", "Zahl der Schritte, in denen sich die Gewichte ändern.",
	"Number of data rows in an update.", "Zahl der Datenzeilen in einem Schritt.",
	"Learning rate of the first update.", "Lernrate des ersten Schritts.",
	"Learning rate of the last update as a share of the first; it falls linearly.",
	"Anteil der Lernrate, auf den sie gleichmäßig bis zum letzten Schritt fällt.",
	"What the model term of the gradient comes from: chains that start at the data (cd), chains that live on (pcd), " +
		"or the tempering chains, weighted by q(K|x) (rts).",
	"Woher der Modellterm des Gradienten kommt: von Ketten, die bei den Daten beginnen (cd), die weiterleben (pcd), " +
		"oder von den Ketten über Temperaturen, gewichtet mit q(K|x) (rts).",
	"Gibbs steps of an update, for cd and pcd.", "Gibbs-Schritte je Schritt, für cd und pcd.",
	"Share of the updates in which k grows from 1.", "Anteil der Schritte, in denen k von 1 an wächst.",
	"Weight decay, per unit of learning rate.", "Abnahme der Gewichte, je Einheit der Lernrate.",
	"Standard deviation of the first weights.", "Standardabweichung der ersten Gewichte.",
	"Number of tempering chains that follow log Z; 0: it is not followed.",
	"Zahl der Ketten über Temperaturen, die log Z verfolgen; 0: es wird nicht verfolgt.",
	"Sweeps of these chains in an update.", "Durchgänge dieser Ketten in einem Schritt.",
	"Share of the way to what the chains say that log Z moves in an update.",
	"Wie weit log Z in einem Schritt zu dem rückt, was die Ketten sagen.",
	"Share of the rows that are kept for validation.", "Anteil der Zeilen, die zur Validierung bleiben.",
	"Number of updates without a better validation after which a run ends; its best machine is the result. 0: it " +
		"goes to the end.",
	"Schritte, nach denen ein Lauf endet, der in der Validierung nicht besser wurde; seine beste Maschine ist das " +
		"Ergebnis. 0: er geht bis zum Ende.",
	"Updates from one check of log Z by annealed importance sampling to the next; 0: none.",
	"Schritte von einer Prüfung von log Z durch Annealed Importance Sampling zur nächsten; 0: keine.",
}
