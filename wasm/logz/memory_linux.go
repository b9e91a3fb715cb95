package main

import (
	"math"
	"os"
	"strconv"
	"strings"
)

// memory is how many bytes the machine has to spare: what the system says is available, at most what is left below the
// limits of the control groups, where files that are only cached do not count.
func memory() float64 {
	spare := math.Inf(1)
	if kb, ok := entry("/proc/meminfo", "MemAvailable:"); ok {
		spare = 1024 * kb
	}
	group := "/"
	text, _ := os.ReadFile("/proc/self/cgroup")
	if _, path, ok := strings.Cut(string(text), "0::"); ok {
		group, _, _ = strings.Cut(path, "\n")
	}
	for _, at := range [][3]string{
		{"/sys/fs/cgroup" + group, "memory.max", "memory.current"},
		{"/sys/fs/cgroup", "memory.max", "memory.current"}, // within a container
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
	} {
		if most, ok := entry(at[0]+"/"+at[1], ""); ok {
			used, _ := entry(at[0]+"/"+at[2], "")
			cached, _ := entry(at[0]+"/memory.stat", "\ninactive_file ")
			spare = min(spare, most-used+cached)
		}
	}
	if math.IsInf(spare, 1) {
		return commonMemory
	}
	return spare
}

// entry is the number after a name in a file, or at its beginning.
func entry(file, name string) (float64, bool) {
	text, err := os.ReadFile(file)
	_, rest, ok := strings.Cut("\n"+string(text), name)
	if err != nil || !ok || strings.TrimSpace(rest) == "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return x, err == nil
}
