// Package methodtest has what tests of methods share: small models, a driver that runs a method without an engine, and
// z-scores. It imports no family of methods, so that tests inside a family can use it; testmodels, which imports all of
// them by the catalogue, is for packages above. Comparisons are those of labtest. Only tests import it.
package methodtest
