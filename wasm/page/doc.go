// Package page is the page without a browser: Brain keeps the experiment, gives units of work
// to lane workers, and makes the markup that the browser paints.
//
// It owns events, settings of the view, panes, scenes and links for sharing. It must not touch a digit, use syscall/js
// or read a clock: the browser and its time are behind Host.
package page
