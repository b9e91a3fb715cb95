// Package spec converts experiments to links and back. Links are canonical: each experiment has exactly one text, and
// that text is hashed. spec.go has Spec, ParseLink and Link; param.go has the parameters of models and methods;
// effect.go has the conditions under which a parameter has an effect (setting one without effect is an error);
// common.go has the keys that all experiments share. Spec.Only gives the experiment of a single method; a method has
// the same result in it as in the experiment with several methods. The package must not import models or methods: a
// Catalog lists them.
package spec
