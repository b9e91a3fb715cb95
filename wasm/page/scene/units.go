package scene

import (
	"cmp"
	"fmt"
	"slices"

	"logzlab/core/frame"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// newestFrames describes the tables of particles.
const newestFrames = "The newest frame of each worker, at most 200 particles."

var unitsScene = Register(Scene{
	Name: "units", Key: 3, Label: "Units",
	Applies: func(s *state.Snapshot) bool {
		look := s.Traits().Look
		return (look == models.Pictures || look == models.Lattices) && s.UsesTemperatures()
	},
	Missing: Texts{{noTemperatures, (*state.Snapshot).AllSequential}, {Text: "This model has no units to show."}},
	Captions: Texts{
		{"Each picture is one particle; the dot below it is its weight.",
			func(s *state.Snapshot) bool { return state.IsSequential(s.OnShow) }},
		{"β = 0: free spins. β = 1: samples of the model. Drag β, and they melt and freeze.",
			func(s *state.Snapshot) bool { return s.Traits().Look == models.Lattices }},
		{"β = 0: every picture starts the same. β = 1: samples of the model. Drag β, and they melt and freeze. " +
			"Grey: probability of a pixel.",
			hasShades},
		{Text: "β = 0: noise. β = 1: samples of the model. Drag β, and they melt and freeze."},
	},
	About: newestFrames,
	Tables: []Table{{[]string{"particle", "beta", "log.weight", "cells.on"}, func(p *state.Snapshot) [][]string {
		return particleRows(p, func(f *frame.Frame, i int) string {
			n := f.W * f.H
			if n == 0 || len(f.Pixels) < (i+1)*n {
				return ""
			}
			on := 0
			for _, x := range f.Pixels[i*n : (i+1)*n] {
				if x == 1 {
					on++
				}
			}
			return fmt.Sprintf("%d / %d", on, n)
		})
	}}},
})

// hasShades reports whether the frames have probabilities of units.
func hasShades(s *state.Snapshot) bool {
	return slices.ContainsFunc(s.Frames, func(f *frame.Frame) bool { return len(f.Shades) > 0 })
}

// particleRows returns the rows of the newest frames: particle, temperature, log weight, and a last column by the
// scene.
func particleRows(p *state.Snapshot, what func(f *frame.Frame, i int) string) (rows [][]string) {
	for _, f := range p.Frames {
		for i := range f.Beta {
			name := fmt.Sprintf("%s %d", state.Label(f.Method), f.First+i+1)
			row := []string{name, p.NumberOrDash(float64(f.Beta[i]), 4), "–", cmp.Or(what(f, i), "–")}
			if i < len(f.LogW) {
				row[2] = p.NumberOrDash(float64(f.LogW[i]), 2)
			}
			rows = append(rows, row)
		}
	}
	return rows
}
