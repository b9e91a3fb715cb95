//go:build 386 || arm || mips || mipsle

package wire

// Lengths and counts of this project do not fit into the int of 32-bit processors. Every program of the project imports
// this package, so a build for them fails here, with this one sentence.
var _ = LogZ_Lab_needs_a_processor_of_64_bits_so_set_GOARCH_to_amd64_or_arm64
