package main

// Offsets of the fields of meansCall in core/num/kernel/simd_means.go.
const (
	meansRows = 4 * iota
	meansTiles
	meansStride
	meansW
	meansX
	meansOut
)

// means(call) is kernel.Matrix.Means, one tile after another, with sums in registers.
func means() *fn {
	f, args := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", args[0], offset)) }
	rows, tiles, stride, w, out := field(meansRows), field(meansTiles), field(meansStride), field(meansW), field(meansOut)
	low, tile := f.let(tV128, vec64(1<<31)), f.local(tI32)
	x, row, end := f.local(tI32), f.local(tI32), f.local(tI32)

	// The sums of a tile.
	var sum [8]expr
	for k := range sum {
		sum[k] = f.local(tV128)
	}
	times, four := f.local(tV128), f.local(tV128)
	f.count(tile, num32(0), tiles, 1, func() {
		for k, s := range sum {
			f.set(s, load("v128.load", out, 16*k))
		}
		f.set(x, load("i32.load", args[0], meansX))
		f.set(end, op("i32.add", x, op("i32.shl", rows, num32(3))))

		// Every row, times its number.
		f.set(row, w)
		f.count(x, x, end, 8, func() {
			f.set(times, load("v128.load64_splat", x, 0))
			for k := range 4 {
				f.set(four, unpacked(row, 16*k, low))
				for half, two := range [2]expr{four, shuffle(four, four, 2, 3, 2, 3)} {
					s := sum[2*k+half]
					f.set(s, op("f64x2.add", s, op("f64x2.mul", times, op("f64x2.convert_low_i32x4_s", two))))
				}
			}
			f.set(row, op("i32.add", row, num32(tileBytes)))
		})

		// The sums go back to memory.
		for k, s := range sum {
			f.store("v128.store", out, 16*k, s)
		}
		f.set(w, op("i32.add", w, stride))
		f.set(out, op("i32.add", out, num32(128)))
	})
	return f
}
