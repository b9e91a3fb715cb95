// Package teacher trains a machine in the page: the form, the run that is made of it in rounds for a worker, and what
// the browser keeps of it. It must not know experiments under way or views.
package teacher
