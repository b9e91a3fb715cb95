package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// benchModels are the models that are measured: two files, 784 x 500 and 784 x 20, and a 20 x 20 spin glass.
var benchModels = []string{"rbm-cd25-500", "rbm-pcd-20", benchGlass}

// benchGlass is a spin glass that bench/main.go generates. Only its sweeps are measured.
const benchGlass = "glass20"

// benchWork is a kind of work: its name in the programs, and its description in the table.
type benchWork struct{ name, about string }

// benchWorks are the kinds of work, with the names that bench/main.go and its NumPy counterpart yardstick.py use.
var benchWorks = []benchWork{
	{"gibbs", "bare sweep at beta = 1"},
	{"ladder", "bare sweep, all of the ladder"},
	{"ais", "AIS with its weights"},
	{"spread", "bare sweep, chains where those of RTS are"},
	{"rts", "RTS over 100 rungs"},
	{"rm", "resample-move, all 784 stages"},
}

// benchRounds is the number of measurements of which the table shows the median.
const benchRounds = 5

// An environment runs one measurement of work on a model file and returns its
// chain-sweeps per second; name is its heading in the table.
type environment struct {
	name string
	run  func(model, work string) (float64, error)
}

// cmdBench prints a table of chain-sweeps per second on one core: NumPy, native Go,
// and WebAssembly with and without SIMD under Node and in Chromium, if they are
// installed. Environments take turns, so that other load affects all equally. Each
// number is a median of benchRounds measurements, followed by the ratio to NumPy float32.
// Arguments name the kinds of work and the models, by default all.
func cmdBench(args []string) error {
	models := slices.DeleteFunc(slices.Clone(benchModels), func(m string) bool { return !slices.Contains(args, m) })
	if len(models) == 0 {
		models = benchModels
	}
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return slices.Contains(benchModels, a) })
	for _, name := range args {
		if !slices.ContainsFunc(benchWorks, func(w benchWork) bool { return w.name == name }) {
			return fmt.Errorf("bench knows no work %q", name)
		}
	}

	dir, err := os.MkdirTemp("", "logz-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	envs, stop, err := environments(dir)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("%s, %d x %s, %s, medians of %d\n\n",
		time.Now().Format(time.DateOnly), runtime.NumCPU(), processor(), runtime.Version(), benchRounds)

	for _, model := range models {
		path := model
		if model != benchGlass {
			path = filepath.Join("site", "models", model+".npz")
		}
		fmt.Printf("| %s, chain-sweeps a second |", model)
		for _, e := range envs {
			fmt.Printf(" %s |", e.name)
		}
		fmt.Printf("\n|---|%s\n", strings.Repeat("---:|", len(envs)))
		for _, w := range benchWorks {
			if len(args) > 0 && !slices.Contains(args, w.name) || model == benchGlass && !strings.HasPrefix(w.about, "bare") {
				continue
			}

			rates := make([][]float64, len(envs))
			for range benchRounds {
				for i, e := range envs {
					rate, err := e.run(path, w.name)
					if err != nil {
						return fmt.Errorf("%s, %s, %s: %w", e.name, model, w.name, err)
					}
					rates[i] = append(rates[i], rate)
				}
			}

			// Medians, and their ratios to NumPy.
			fmt.Printf("| %s |", w.about)
			for _, r := range rates {
				slices.Sort(r)
				slices.Sort(rates[0])
				mid := r[benchRounds/2]
				fmt.Printf(" %.1f k", mid/1000)
				if base := rates[0][benchRounds/2]; strings.HasPrefix(envs[0].name, "NumPy") {
					fmt.Printf(" (%.2f)", mid/base)
				}
				fmt.Print(" |")
			}
			fmt.Println()
		}
		fmt.Println()
	}
	return nil
}

// environments builds the programs in dir and returns the environments on this computer that can run them. stop must be
// called at the end.
func environments(dir string) (envs []environment, stop func(), err error) {
	stop = func() {}
	if python := numpy(); python != "" {
		for _, dtype := range []string{"float32", "float64"} {
			envs = append(envs, environment{"NumPy " + dtype, func(model, work string) (float64, error) {
				if work == "ladder" || work == "spread" { // dense products take the same time at every beta
					work = "gibbs"
				}
				return runForRate(exec.Command(python, "wasm/tool/bench/yardstick.py", model, work, dtype))
			}})
		}
	} else {
		fmt.Println("no NumPy (Debian: apt-get install python3-numpy libopenblas0-pthread): rates without ratios")
	}

	// The native program.
	native, wasm := filepath.Join(dir, "bench"), filepath.Join(dir, "bench.wasm")
	if err := buildBench(native); err != nil {
		return nil, stop, err
	}
	if err := buildBench(wasm, "GOOS=js", "GOARCH=wasm"); err != nil {
		return nil, stop, err
	}
	envs = append(envs, environment{"Go native", func(model, work string) (float64, error) {
		cmd := exec.Command(native, model, work)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		return runForRate(cmd)
	}})

	// WebAssembly under Node.
	if _, err := exec.LookPath("node"); err == nil {
		wrapper, err := goWasm("go_js_wasm_exec")
		if err != nil {
			return nil, stop, err
		}
		for _, build := range []string{"plain", "SIMD"} {
			envs = append(envs, environment{"Node, " + build, func(model, work string) (float64, error) {
				cmd := exec.Command(wrapper, wasm, model, work, build)
				cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
				return runForRate(cmd)
			}})
		}
	}

	// WebAssembly in a browser.
	b, err := startChromium(wasm)
	if err != nil {
		fmt.Println(err)
		return envs, stop, nil
	}
	for _, build := range []string{"plain", "SIMD"} {
		envs = append(envs, environment{"Chromium, " + build, func(model, work string) (float64, error) {
			return b.run(model, work, build)
		}})
	}
	return envs, b.stop, nil
}

// numpy returns the command of a Python that has NumPy, "" if there is none. Debian's package is for /usr/bin/python3.
func numpy() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	return ""
}

// buildBench builds the program of folder bench with additional environment variables.
func buildBench(out string, env ...string) error {
	cmd := exec.Command("go", "build", "-o", out, "./wasm/tool/bench")
	cmd.Env = append(os.Environ(), env...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, msg)
	}
	return nil
}

// runForRate runs a command and returns the number that it prints.
func runForRate(cmd *exec.Cmd) (float64, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// processor returns the name of the processor, if the system reports it.
func processor() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
