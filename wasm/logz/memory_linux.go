package main

import (
	"math"
	"os"
	"strconv"
	"strings"
)

// availableMemory returns the available memory in bytes: MemAvailable of the system, or less if the limit of a control
// group is lower. Cached files do not count as used.
func availableMemory() float64 {
	available := math.Inf(1)
	if kb, ok := readNumber("/proc/meminfo", "MemAvailable:"); ok {
		available = 1024 * kb
	}
	group := "/"
	text, _ := os.ReadFile("/proc/self/cgroup")
	if _, path, ok := strings.Cut(string(text), "0::"); ok {
		group, _, _ = strings.Cut(path, "\n")
	}
	for _, files := range [][3]string{
		{"/sys/fs/cgroup" + group, "memory.max", "memory.current"},
		{"/sys/fs/cgroup", "memory.max", "memory.current"}, // within a container
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
	} {
		if limit, ok := readNumber(files[0]+"/"+files[1], ""); ok {
			used, _ := readNumber(files[0]+"/"+files[2], "")
			cached, _ := readNumber(files[0]+"/memory.stat", "\ninactive_file ")
			available = min(available, limit-used+cached)
		}
	}
	if math.IsInf(available, 1) {
		return defaultMemory
	}
	return available
}

// readNumber returns the number that follows name in a file, or the first number if name is empty.
func readNumber(file, name string) (float64, bool) {
	text, err := os.ReadFile(file)
	_, rest, ok := strings.Cut("\n"+string(text), name)
	if err != nil || !ok || strings.TrimSpace(rest) == "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return x, err == nil
}
