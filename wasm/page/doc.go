// Package page is the logic of the web page, independent of the browser. Controller holds the experiment, distributes
// units of work to the lane workers, and produces the markup that the browser displays.
//
// Reading order: controller.go (fields of Controller, opening a link), events.go (the table of event handlers),
// effects.go (effects requested by parts), opening.go (files and the job), workers.go (messages of workers), observe.go
// (progress of the run, the Snapshot), paint.go (views).
//
// The parts of the page are packages below this one, each with its own state and events: run, derived, lecture,
// programs, imports, sharing and trainer, and wasm/rooms/panel. Package shared is the context that all parts use.
// Package route parses links. Package state defines the Snapshot; packages view and scene are functions of it. Package
// deck parses lecture files, repair proposes changes to an experiment, workerpool manages the lane workers.
// core/workerapi defines the messages to the Stan compiler (wasm/compiler) and to the reader of external samples
// (wasm/external).
//
// The page must not change any result, and must not use syscall/js. The browser and its clock are reached through
// shared.Host; only the timeouts of rooms and short links use package time.
package page
