// Package page is the page without a browser: Brain keeps the experiment, gives units of work
// to lane workers, and makes the markup that the browser paints.
//
// Read in this order: brain.go (what Brain holds, how a link is opened), events.go (from each event to its handler),
// effects.go (what parts ask for), opening.go (files and the job), workers.go (what comes from workers), observe.go (news
// of the run, the Snapshot), paint.go (views).
//
// Its parts are packages below, each with its state and events: run, findings, lecture, programs, readings, rooms,
// sharing and teacher; desk is what parts share. route reads links; state has the Snapshot, of which view and scene are
// functions, html is their markup; deck reads files of lectures, repair proposes changes, crew has the lane workers;
// order has the messages to the compiler (wasm/compiler) and the reader of samples (estimators/external/show). The page must not touch a
// digit or use syscall/js: the browser and its time are behind desk.Host, but for the waits of rooms and short links.
package page
