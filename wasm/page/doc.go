// Package page is the page without a browser: Brain keeps the experiment, gives units of work
// to lane workers, and makes the markup that the browser paints.
//
// It owns events, settings of the view, panes and scenes. Its parts are packages below, each with its state and events:
// run, findings, lecture, programs, readings, rooms, sharing and teacher; desk is what parts share. The page must not
// touch a digit, use syscall/js or read a clock: the browser and its time are behind desk.Host.
package page
