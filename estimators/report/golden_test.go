package report

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strings"
	"testing"

	"logzlab/estimators/labtest"
)

var update = flag.Bool("update", false, "write testdata/golden.txt from this machine's digits")

// goldenLinks cover every model kind, method, schedule and option that changes
// digits, small enough for a phone.
var goldenLinks = []string{
	"v=1&model=mixture2&method=is&is.particles=2500",
	"v=1&model=mixture2&method=ais&ais.temperatures=100",
	"v=1&model=mixture2&method=rts&seed=7&rts.chains=12&rts.init_rounds=2&rts.sweeps=60",
	"v=1&model=mixture10&method=ais&ais.chains=33&ais.schedule=power:5&ais.temperatures=64&moves=2",
	"v=1&model=mixture10&method=rts&rts.chains=4&rts.init=ones&rts.init_rounds=3&rts.sweeps=70&rts.temperatures=20",
	"v=1&model=ising16&method=ais&seed=4294967295&ais.chains=25&ais.schedule=sigmoid:4&ais.temperatures=150&beta=0.3",
	"v=1&model=ising16&method=rts&rts.chains=15&rts.init_rounds=2&rts.sweeps=300&rts.temperatures=30",
	"v=1&model=rbm-pcd-20&method=is&is.particles=300",
	"v=1&model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=120",
	"v=1&model=rbm-pcd-20&method=ais&ais.chains=1&ais.sweeps=3&ais.temperatures=2&form=joint",
	"v=1&model=rbm-cd1-20&method=rts&rts.chains=20&rts.init_rounds=3&rts.merge=yes&rts.sweeps=60&rts.temperatures=40",
	"v=1&model=rbm-cd25-20&method=ais&ais.chains=11&ais.schedule=sm08&ais.temperatures=60&form=joint",
	"v=1&model=rbm-pcd-100&method=ais&ais.chains=20&ais.schedule=geometric:0.001&ais.temperatures=100",
	"v=1&model=rbm-pcd-100&method=rts&rts.chains=11&rts.init_rounds=1&rts.sweeps=40",
	"v=1&model=rbm-pcd-500&method=ais&ais.chains=10&ais.temperatures=60",
	"v=1&model=gpc-1d&method=ais&ais.chains=10&ais.temperatures=40",
	"v=1&model=gpc-1d&method=ais&ais.chains=3&ais.temperatures=6&amplitude=2&kernel=ou&leaps=9&sampler=hmc_plain",
	"v=1&model=gpc-ou&method=rts&base=ep&rts.chains=10&rts.init_rounds=1&rts.sweeps=40&rts.temperatures=8",
	"v=1&model=gpc-ou&method=ais&ais.chains=3&ais.temperatures=8&leaps=3&order=random&sampler=rmhmc",
	"v=1&model=gpc-2d&method=ais&ais.chains=5&ais.temperatures=20&base=ep&sampler=ess",
	"v=1&model=gpc-mnist35&method=ais&ais.chains=4&ais.temperatures=10&base=ep&length=60",
	"v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=30&replicates=5",
	"v=1&model=mixture2&method=rts&rts.chains=10&rts.init_rounds=1&rts.sweeps=40&rts.temperatures=12&replicates=4",
	"v=1&model=rbm-pcd-20&method=rm&rm.islands=2&rm.moves=1&rm.particles=20",
	"v=1&model=rbm-cd25-20&method=arm&arm.gamma=0.9&arm.islands=2&arm.moves=2&arm.particles=16&arm.resample=stratified&order=random",
	"v=1&model=rbm-cd1-20&method=arm-anticipate&arm-anticipate.extra_copies=yes&arm-anticipate.gamma=0.9&arm-anticipate.islands=2&arm-anticipate.moves=1&arm-anticipate.particles=12&order=natural",
	"v=1&model=rbm-pcd-100&method=arm-reseed&arm-reseed.gamma=0.8&arm-reseed.islands=2&arm-reseed.moves=1&arm-reseed.particles=12&arm-reseed.resample=systematic&arm-reseed.reseed_sweeps=4",
	"v=1&model=rbm-pcd-20&method=rm-optimal&rm-optimal.islands=2&rm-optimal.moves=1&rm-optimal.particles=20&replicates=2",
	"v=1&model=ising16&method=smc&smc.ess=0.9&smc.islands=2&smc.moves=2&smc.particles=20&smc.schedule=power:2&smc.temperatures=60",
	"v=1&model=rbm-pcd-20&method=smc&smc.adaptive=yes&smc.islands=2&smc.particles=20&smc.resample=systematic&smc.temperatures=300",
	"v=1&model=gpc-1d&method=rm&rm.islands=2&rm.moves=2&rm.particles=20",
}

// The digits are compared with ==: any change of a bit, a draw or an order fails.
func TestGolden(t *testing.T) {
	if *update {
		var b strings.Builder
		for _, link := range goldenLinks {
			g := runGolden(context.Background(), link, labtest.LoadSite, runtime.NumCPU())
			if g.Problem != "" {
				t.Fatalf("%s: %s", link, g.Problem)
			}
			b.WriteString(g.Link + "\t" + g.LogZ + "\t" + g.Hash + "\n")
		}
		if err := os.WriteFile("testdata/golden.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	results := Check(context.Background(), labtest.LoadSite, runtime.NumCPU())
	if len(results) != len(goldenLinks) {
		t.Fatalf("golden.txt has %d links, the test %d: run ./build.sh golden", len(results), len(goldenLinks))
	}
	for i, r := range results {
		if r.Link != goldenLinks[i] {
			t.Errorf("line %d is about %s, not %s: run ./build.sh golden", i+1, r.Link, goldenLinks[i])
		}
		if !r.OK {
			t.Errorf("%s: %s %s, %s", r.Link, r.LogZ, r.Hash, r.Problem)
		}
	}
}
