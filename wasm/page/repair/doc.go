// Package repair finds what is wrong with a finished run, and changes of its experiment that would mend it.
//
// A failing check offers the change that would mend it. What is proposed comes from the table of levers, the numbers of
// the report and the parameters as they are; it is shown only if a run of it fits into memory and time.
package repair
