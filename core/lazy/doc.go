// Package lazy makes values when they are first asked for.
//
// A value must depend on nothing but what it was made from: who asks first must not matter.
package lazy
