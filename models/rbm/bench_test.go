package rbm

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// BenchmarkSweep measures a chain-sweep, in a lane of ten, of the bundled models at beta = 1 after 200 sweeps: alone,
// and with the two log densities that AIS needs; with the accelerator if there is one, and with Go. Under Node:
//
//	GOOS=js GOARCH=wasm go test -exec=... -run=- -bench=Sweep ./models
func BenchmarkSweep(b *testing.B) {
	const lane = 10
	ladder := linear(101)
	for _, name := range []string{"rbm-cd25-500", "rbm-pcd-20"} {
		data, err := os.ReadFile(filepath.Join(labtest.Root(b), "site/models", name+".npz"))
		if err != nil {
			b.Fatal(err)
		}
		file, err := kinds.ReadFile(data, nil)
		if err != nil {
			b.Fatal(err)
		}
		model, err := models.FromFile("own", file, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, weights := range []bool{false, true} {
			for _, pure := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/weights=%v/go=%v", name, weights, pure), func(b *testing.B) {
					kernel.PureGo = pure
					p := model.New(lane, ladder)
					kernel.PureGo = false
					if !pure && runtime.GOARCH != "wasm" {
						b.Skip("Go is all there is here")
					}
					at := rng.At{Key: rng.NewKey(1, "bench", 0)}
					p.Draw(at)
					top := labtest.Rungs(lane, len(ladder)-1)
					pairs := make([]float64, 2*lane)
					step := func() {
						at.Step++
						if weights {
							p.LogF(len(ladder)-2, 2, pairs)
						}
						p.Move(at, top, false)
					}
					for range 200 {
						step()
					}
					b.ReportAllocs()
					b.ResetTimer()
					for range b.N {
						step()
					}
					b.ReportMetric(float64(b.N)*lane/b.Elapsed().Seconds(), "sweeps/s")
				})
			}
		}
	}
}
