// Package methodtest has what tests of methods share: small models, a driver that runs a method without an engine, and
// z-scores. Only tests import it.
package methodtest
