package main

import (
	"errors"
	"os"
)

// simdFile is the module that core/kernel embeds for browsers with SIMD.
const simdFile = "core/kernel/simd.wasm"

// cmdSIMD assembles the SIMD module from the functions in simd*.go.
func cmdSIMD(args []string) error {
	if len(args) != 0 {
		return errors.New("simd takes no arguments")
	}
	code, err := simdModule(".")
	if err != nil {
		return err
	}
	return os.WriteFile(simdFile, code, 0o644)
}

// The module does, for all rows of a lane in one call, what core/kernel does row by row
// (rows.go, ladder.go, tempering.go; for states products.go), with the same bits. Every function is a transcription of a
// function of core/kernel, core/rng or core/num that is named beside it, with
// the constants read from there, in the folder root.
func simdModule(root string) ([]byte, error) {
	c, err := readConstants(root, "core/num/exp.go", "core/num/log.go", "core/rng/rng.go", "core/kernel/kernel.go", "core/kernel/ladder.go", "core/kernel/rows.go", "core/kernel/simd.go", "core/kernel/tempering.go", "core/kernel/tiles.go")
	if err != nil {
		return nil, err
	}
	return module(
		[]*fn{drawLayer(c), drawExactly(c), addRows(c), sweep(c), softplus(c, false), softplus(c, true), ladder(c), temper(c), products()},
		[]string{"", "", "", "sweep", "softplus", "softplus32", "ladder", "temper", "products"}), nil
}

// Indices of the functions.
const (
	fnDraw = iota
	fnDrawExactly
	fnAdd
)

// Offsets of the fields of job, half and sums in core/kernel/simd.go.
const (
	jobRows = 4 * iota
	jobScale
	jobBaseScale
	jobKey0
	jobKey1
	jobStep
	jobSlot
	jobPhase
	jobChanged
	jobStates
	jobLists
	jobListBytes
	jobOrder
	jobWanting
	jobWanted
	jobHalves
)
const (
	halfUnits = 4 * iota
	halfBlock
	halfAct
	halfActStride
	halfState
	halfStateStride
	halfBase
	halfW
	halfWStride
	halfOut
	halfOutStride
	halfTiles
	halfC
	halfG
	halfLinC
	halfLinG
	halfTable
	halfStart
	halfMany
	halfBytes
)
const (
	sumsRows = 4 * iota
	sumsUnits
	sumsAct
	sumsActStride
	sumsScale
	sumsScales
	sumsOut
)

const tileBytes = 64 // 16 units

// sweep(job) is Rows.Sweep. Some rows go through both layers together: their
// weights are added tile by tile, so that a tile stays in cache.
func sweep(c constants) *fn {
	f, p := begin(1)
	blockRows := int(c.long("blockRows"))
	job := p[0]
	row, n, i, half := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32)
	rows := f.let(tI32, load("i32.load", job, jobRows))
	f.when(rows, func() {
		f.count(row, num32(0), rows, blockRows, func() {
			f.set(n, op("i32.sub", rows, row))
			f.set(n, op("select", n, num32(blockRows), op("i32.lt_u", n, num32(blockRows))))
			f.set(half, op("i32.add", job, num32(jobHalves)))
			f.store("i32.store", job, jobWanted, load("i32.load", job, jobWanting))
			f.store("i32.store", job, jobWanting, num32(0))
			for range 2 {
				f.count(i, num32(0), n, 1, func() { f.call(fnDraw, job, half, op("i32.add", row, i), i) })
				f.call(fnAdd, job, half, row, n)
				f.set(half, op("i32.add", half, num32(halfBytes)))
			}
		})
	})
	return f
}

// at is p + i*stride.
func at(p, i, stride expr) expr { return op("i32.add", p, op("i32.mul", i, stride)) }
