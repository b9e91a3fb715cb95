// Package shared is the context that all parts of the page use: the browser (Host), words, workers, open panels, long
// computations in steps, and repainting. It must not depend on experiments, runs or views.
//
// context.go has Context and its queue of effects; host.go the interface to the browser; models.go bundled model files;
// long_work.go long computations in steps; repaint.go when to repaint; language.go translations; alone.go the page as
// a single file.
package shared
