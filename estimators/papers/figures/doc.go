// Package figures lists the experiments of all papers by name, as package estimators/catalog lists methods. The command
// logz experiment and the tests run only experiments in this list.
package figures
