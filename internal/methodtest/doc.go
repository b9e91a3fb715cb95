// Package methodtest has helpers for tests of methods: small models, a driver that runs a method without an engine, and
// z-scores. It imports no family of methods, so that tests within a family can use it; testmodels, which imports all of
// them through the catalogue, is for packages above. Comparisons are in labtest. Only tests import it.
package methodtest
