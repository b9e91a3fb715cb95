package page

import (
	"cmp"
	"fmt"

	"logzlab/core/frame"
	"logzlab/models"
)

// newestFrames is what the tables of particles are.
const newestFrames = "The newest frame of each worker, 200 particles at most."

var unitsScene = register(scene{
	name: "units", key: 3, label: "Units",
	applies: func(b *Brain) bool {
		look := b.traits().Look
		return (look == models.Pictures || look == models.Lattices) && b.heated()
	},
	missing: sayings{{noTemperatures, (*Brain).unheated}, {text: "This model has no units to show."}},
	captions: sayings{
		{"Each picture is one particle; the dot below it is its weight.",
			func(b *Brain) bool { return stepwise(b.onShow()) }},
		{"Free spins at β = 0, samples of the model at β = 1. Drag β: they melt and freeze.",
			func(b *Brain) bool { return b.traits().Look == models.Lattices }},
		{text: "Noise at β = 0, samples of the model at β = 1. Drag β: they melt and freeze."},
	},
	about: newestFrames,
	tables: []sceneTable{{[]string{"particle", "beta", "log.weight", "cells.on"}, func(p *pane) [][]string {
		return p.particleRows(func(f *frame.Frame, i int) string {
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

// particleRows are the rows of the newest frames: the particle, its temperature and weight,
// and what else a scene has to say of row i of a frame.
func (p *pane) particleRows(what func(f *frame.Frame, i int) string) (rows [][]string) {
	for _, f := range p.looked.frames {
		for i := range f.Beta {
			name := fmt.Sprintf("%s %d", label(f.Method), f.First+i+1)
			row := []string{name, p.known(float64(f.Beta[i]), 4), "–", cmp.Or(what(f, i), "–")}
			if i < len(f.LogW) {
				row[2] = p.known(float64(f.LogW[i]), 2)
			}
			rows = append(rows, row)
		}
	}
	return rows
}
