package main

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
)

// memory is how many bytes the machine has to spare: what the system says is available, at most what is left below a
// limit of the control group.
func memory() float64 {
	spare := math.Inf(1)
	text, _ := os.ReadFile("/proc/meminfo")
	if _, rest, ok := strings.Cut(string(text), "MemAvailable:"); ok {
		if kb, err := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64); err == nil {
			spare = 1024 * kb
		}
	}
	group := "/"
	text, _ = os.ReadFile("/proc/self/cgroup")
	if _, path, ok := strings.Cut(string(text), "0::"); ok {
		group, _, _ = strings.Cut(path, "\n")
	}
	for _, names := range [][2]string{
		{"/sys/fs/cgroup" + group + "/memory.max", "/sys/fs/cgroup" + group + "/memory.current"},
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"}, // within a container
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		if most, ok := number(names[0]); ok {
			used, _ := number(names[1])
			spare = min(spare, max(most-used, 0))
		}
	}
	if math.IsInf(spare, 1) {
		return commonMemory
	}
	return spare
}

// number reads a file that holds one.
func number(file string) (float64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	return x, err == nil
}
