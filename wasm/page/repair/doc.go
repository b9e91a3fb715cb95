// Package repair diagnoses a finished run and proposes changes of its experiment.
//
// For each failing check it proposes the change that should make the check pass. A proposal is computed from the table
// of levers, the values in the report and the current parameters, and is offered only if its run fits into memory and
// time.
package repair
