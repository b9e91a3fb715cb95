// Package disk writes files that stay whole, whatever ends the program or the machine, and reads files that did not.
//
// It must not know what the files hold. Code that reaches a digit must not import it.
package disk
