//go:build 386 || arm || mips || mipsle

package wire

// Lengths and counts of ours do not fit into the int of these processors. Every program of ours has this package, so
// its build ends here, with this one sentence.
var _ = LogZ_Lab_needs_a_processor_of_64_bits_so_set_GOARCH_to_amd64_or_arm64
