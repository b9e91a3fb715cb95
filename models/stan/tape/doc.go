// Package tape computes log densities and their gradients by reverse-mode automatic differentiation. A Tape is a list
// of operations in a fixed order, without loops or conditions. A front end (models/stan) unrolls its program onto a
// tape with a Builder, and data become constants. An Evaluator computes the target and its gradient for several points
// at once.
//
// Files in reading order: tape.go, the tape; code.go, the operations; build.go, the Builder; fold.go, constant folding;
// compact.go, removing unused operations and vectorising the others; evaluator.go, the forward pass; reverse.go, the
// reverse pass; element.go and linear.go, elementwise and matrix operations; pool.go, evaluators for goroutines;
// inspect.go and centres.go, the structure of expressions; nonfinite.go, the cause of a density that is not finite;
// copy.go, component.go and reparametrise.go, tapes made from others; file.go, the bytes of a tape.
//
// Values are elements of one array; their indices are called slots. The first slots are the coordinates, then come the
// results of the operations in order. A negative slot s is constant number ^s.
//
// A tape gives identical results on all platforms, bit for bit, whatever the number of points evaluated at once:
// functions come from core/num, sums have a fixed order, and no product is fused with a sum. The package knows no
// models and no languages.
package tape
