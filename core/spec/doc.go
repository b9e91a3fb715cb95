// Package spec turns experiments into links and back. A link is canonical: one experiment has one text, and the text is
// what is hashed. spec.go has Spec, ParseLink and Link; param.go a parameter, its text and its choices; effect.go what
// a parameter needs to have an effect (a link that sets it without that is refused); common.go the keys that all
// experiments have.
//
// Spec.Only is the experiment of one method, so that a method has the same digits alone and in company. It must not
// know models or methods: a Catalog names them.
package spec
