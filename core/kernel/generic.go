package kernel

func powers(p []float32, acc []int64, scale float32)    { powersGo(p, acc, scale) }
func combine(out, w []float64, stride int, y []float64) { combineGo(out, w, stride, y) }
