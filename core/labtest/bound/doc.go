// Package bound limits what one input of a fuzz test may take. Only tests import it.
package bound
