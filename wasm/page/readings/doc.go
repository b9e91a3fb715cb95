// Package readings has samples of other programs read and judged by their reader (wasm/court), whose orders and answers
// are in order. It must not know the experiment.
package readings
