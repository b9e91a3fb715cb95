// Package figures lists the experiments of all papers by name, as estimators/catalog does methods. An experiment that
// is not in it is not run by the command and not tried by its tests.
package figures
