package main

// Offsets of the fields of productsCall in core/num/kernel/simd_products.go.
const (
	productsUnits = 4 * iota
	productsStates
	productsBlocks
	productsGroup
	productsP
	productsQ
	productsAcc
	productsPower
)

// products(call) is kernel.Products.Multiply. It handles 512 states at a time, so that these states stay in the
// first-level cache while the factors of all blocks are applied.
func products() *fn {
	f, args := begin(1)
	field := func(offset int) expr { return f.let(tI32, load("i32.load", args[0], offset)) }
	units, blocks, group := field(productsUnits), field(productsBlocks), field(productsGroup)
	bytes := f.let(tI32, op("i32.shl", load("i32.load", args[0], productsStates), num32(3)))
	const chunk = 8 * 512
	from, n, at := f.local(tI32), f.local(tI32), f.local(tI32)
	u, b, untilNormalize := f.local(tI32), f.local(tI32), f.local(tI32)
	p, q, acc, power, factor := f.local(tI32), f.local(tI32), f.local(tI32), f.local(tI32), f.local(tV128)
	one, mantissa, bias := f.let(tV128, f64x2(1)), vec64(1<<52-1), vec64(1023)

	// setToChunk sets x to the address of the current chunk of an array; step moves x along the array.
	setToChunk := func(x expr, offset int) {
		f.set(x, op("i32.add", load("i32.load", args[0], offset), from))
	}
	step := func(x expr, by expr) { f.set(x, op("i32.add", x, by)) }

	// A chunk of states at a time.
	f.count(from, num32(0), bytes, chunk, func() {
		f.set(n, op("i32.sub", bytes, from))
		f.set(n, op("select", n, num32(chunk), op("i32.lt_u", n, num32(chunk))))
		setToChunk(p, productsP)
		f.set(q, load("i32.load", args[0], productsQ))
		f.set(untilNormalize, group)

		// For each unit, multiply the products of every block by the factor 1 + p q.
		f.count(u, num32(0), units, 1, func() {
			setToChunk(acc, productsAcc)
			f.count(b, num32(0), blocks, 1, func() {
				f.set(factor, load("v128.load64_splat", q, 0))
				f.count(at, num32(0), n, 32, func() {
					x, y := f.let(tI32, op("i32.add", acc, at)), f.let(tI32, op("i32.add", p, at))
					for k := 0; k < 32; k += 16 {
						t := op("f64x2.add", one, op("f64x2.mul", load("v128.load", y, k), factor))
						f.store("v128.store", x, k, op("f64x2.mul", load("v128.load", x, k), t))
					}
				})
				step(acc, bytes)
				step(q, num32(8))
			})
			step(p, bytes)
			step(untilNormalize, num32(-1))

			// After each group of units, move the binary exponents from acc to power, so that acc cannot overflow.
			last := op("i32.eqz", op("i32.lt_u", op("i32.add", u, num32(1)), units))
			f.when(op("i32.or", op("i32.eqz", untilNormalize), last), func() {
				f.set(untilNormalize, group)
				setToChunk(acc, productsAcc)
				setToChunk(power, productsPower)
				f.count(b, num32(0), blocks, 1, func() {
					f.count(at, num32(0), n, 16, func() {
						x, y := f.let(tI32, op("i32.add", acc, at)), f.let(tI32, op("i32.add", power, at))
						a := f.let(tV128, load("v128.load", x, 0))
						exponent := op("i64x2.sub", op("i64x2.shr_u", a, num32(52)), bias)
						f.store("v128.store", y, 0, op("i64x2.add", load("v128.load", y, 0), exponent))
						f.store("v128.store", x, 0, op("v128.or", op("v128.and", a, mantissa), one))
					})
					step(acc, bytes)
					step(power, bytes)
				})
			})
		})
	})
	return f
}
