// Package figures lists the experiments of all papers by name, as estimators/catalog lists methods. The command runs
// only experiments in this list, and tests try only these.
package figures
