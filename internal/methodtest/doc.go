// Package methodtest has helpers for tests of methods: small models, a function that runs a method without package engine
// (Drive), and z-scores. It imports no package of methods, so that the tests of these packages can use it. Tests of other
// packages can also use package testmodels, which imports all methods. Only tests import it.
package methodtest
