package words

// errorsFilesDE belongs to errorsDE: files of arrays, and what was read of them.
var errorsFilesDE = []string{
	"model file: the %s are given twice (%s and %s); leave one out",
	"Modelldatei: %s stehen zweimal da (%s und %s); eines weglassen",
	"model file: Octave's own text; save it again as save -v7 model.mat W b c",
	"Modelldatei: Text von Octave; noch einmal speichern, mit save -v7 model.mat W b c",

	"mat file: damaged or cut short; save it again with the option -v7",
	"mat-Datei: beschädigt oder abgeschnitten; noch einmal speichern, mit der Option -v7",
	"mat file: its format is HDF5 (level 7.3), which is not read; save it again with the option -v7, or -v6 for no " +
		"compression, as in save('model.mat', '-v7')",
	"mat-Datei: ihr Format ist HDF5 (Stufe 7.3), das nicht gelesen wird; noch einmal speichern, mit der Option -v7 " +
		"oder, ohne Kompression, -v6, wie in save('model.mat', '-v7')",
	"mat file: it would inflate to more than the limit of 256 MB (variable %s)",
	"mat-Datei: entpackt wäre sie größer als die erlaubten 256 MB (Variable %s)",
	"mat file: the variable %s is there twice; leave one out", "mat-Datei: die Variable %s ist zweimal da; eine weglassen",
	"mat file: it has more than %d variables; save only those of the model",
	"mat-Datei: sie hat mehr als %s Variablen; nur die des Modells speichern",
	"mat file: %s is a struct; save its fields, as in save('model.mat', '-struct', '%s')",
	"mat-Datei: %s ist ein struct; dessen Felder speichern, wie in save('model.mat', '-struct', '%s')",
	"mat file: %s is %s; save it as a full matrix of real numbers, double or single",
	"mat-Datei: %s hat die Klasse %s; als volle Matrix reeller Zahlen speichern, double oder single",
	"mat file: %s: impossible shape %v", "mat-Datei: %s: unmögliche Form %s",

	"safetensors file: it is cut short; save it again", "safetensors-Datei: abgeschnitten; noch einmal speichern",
	"safetensors file: a header of %d bytes; at most %d are read",
	"safetensors-Datei: ein Kopf von %s Byte; höchstens %s werden gelesen",
	"safetensors file: its header: %w", "safetensors-Datei: ihr Kopf: %s",
	"safetensors file: tensor %s: %w", "safetensors-Datei: Tensor %s: %s",
	"safetensors file: no tensor begins at byte %d, where the last one ends",
	"safetensors-Datei: bei Byte %s, wo der vorige endet, beginnt kein Tensor",
	"safetensors file: two tensors begin at byte %d", "safetensors-Datei: zwei Tensoren beginnen bei Byte %s",
	"safetensors file: %d bytes after its last tensor", "safetensors-Datei: %s Byte hinter ihrem letzten Tensor",
	"it must have dtype, shape and two data_offsets", "nötig sind dtype, shape und zwei data_offsets",
	"impossible data_offsets %v", "unmögliche data_offsets %s",

	"rbm file: in JSON, other names are used: %s; rename them, and if a row of the weights belongs to a hidden unit, as " +
		"in PyTorch and scikit-learn, give their transpose, W.T",
	"RBM-Datei: in JSON gelten andere Namen: %s; umbenennen, und wenn eine Zeile der Gewichte zu einer verborgenen " +
		"Einheit gehört wie in PyTorch und scikit-learn, transponieren, W.T",
	"rbm file: there is no array for the %s: it must be called %s; the file has %s",
	"RBM-Datei: ein Feld fehlt: %s; es muss einen dieser Namen haben: %s; die Datei hat %s",
	"rbm file: %s is no list: it has the shape %v", "RBM-Datei: %s ist keine Liste: es hat die Form %s",
	"rbm file: %s has %d dimensions; weights must be a matrix",
	"RBM-Datei: %s hat %s Dimensionen; Gewichte müssen eine Matrix sein",
	"%d visible and %d hidden units; %w from %.3g to %.3g; visible biases %s, mean %.3g; hidden biases %s, mean %.3g; %w",
	"%s sichtbare und %s verborgene Einheiten; %s von %s bis %s; sichtbare Biases %s, Mittel %s; verborgene Biases %s, " +
		"Mittel %s; %s",
	"%d data rows, mean %.3g", "%s Datenzeilen, Mittel %s", "%w; %w", "%s; %s",

	"data file: %w", "Datendatei: %s", "data file: damaged or cut short", "Datendatei: beschädigt oder abgeschnitten",
	"data file: it would inflate to more than the limit of 256 MB", "Datendatei: Entpackt wären es mehr als 256 MB",
	"data file: there are no rows in it", "Datendatei: es stehen keine Zeilen darin",
	"data file: its shape is %v; rows must have %d numbers, one for each visible unit",
	"Datendatei: ihre Form ist %s; Zeilen müssen %s Zahlen haben, eine für jede sichtbare Einheit",
	"data file: line %d has %d numbers; rows must have %d, one for each visible unit",
	"Datendatei: Zeile %s hat %s Zahlen; Zeilen müssen %s haben, eine für jede sichtbare Einheit",
	"data file: line %d is too long; rows must have %d numbers, one for each visible unit",
	"Datendatei: Zeile %s ist zu lang; Zeilen müssen %s Zahlen haben, eine für jede sichtbare Einheit",
	"data file: row %d, column %d is %v; numbers must be from 0 to 1, or from 0 to 255",
	"Datendatei: Zeile %s, Spalte %s ist %s; Zahlen müssen von 0 bis 1 oder von 0 bis 255 gehen",
	"data file: line %d, column %d: %q is not a number", "Datendatei: Zeile %s, Spalte %s: %s ist keine Zahl",
	"data file: none of its arrays (%s) is called %s", "Datendatei: keines ihrer Felder (%s) heißt %s",
	"data rows can stand beside an RBM of your own; give one as the model",
	"Datenzeilen gibt es zu einer eigenen RBM; erst eine als Modell angeben",
	"the data rows", "die Datenzeilen",
	"%q is not the 12 hex digits of a file of data rows", "%s ist kein Name von Datenzeilen aus 12 Hexziffern",
	"data=%s asks for a file of data rows; give that file, too",
	"data=%s verlangt eine Datei von Datenzeilen; auch diese angeben",

	"weights %s", "Gewichte %s", "weights %s, transposed,", "Gewichte %s, transponiert,",
	"no base rates (p1)", "keine Grundraten (p1)", "base rates p1, mean %.3g", "Grundraten p1, Mittel %s",
}
