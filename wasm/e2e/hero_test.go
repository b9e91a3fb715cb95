package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// stroke draws on the paper with a mouse, through some pixels.
func (b *tab) stroke(way [][2]float64) {
	b.t.Helper()
	b.until(`document.querySelector('#paper')?.clientWidth > 100`)
	var points []string
	for _, p := range way {
		points = append(points, fmt.Sprintf("[%g, %g]", p[0], p[1]))
	}
	eval[bool](b, fmt.Sprintf(`(() => {
		const paper = document.querySelector('#paper'), {left, top, width} = paper.getBoundingClientRect();
		paper.setPointerCapture = () => {};
		const way = [%s], at = ([x, y]) => ({clientX: left + x * width / 28, clientY: top + y * width / 28,
			pointerType: 'mouse', pointerId: 1, bubbles: true, buttons: 1});
		paper.dispatchEvent(new PointerEvent('pointerdown', at(way[0])));
		for (const p of way) paper.dispatchEvent(new PointerEvent('pointermove', at(p)));
		paper.dispatchEvent(new PointerEvent('pointerup', at(way.at(-1))));
		return true;
	})()`, strings.Join(points, ", ")))
}

var _ = testing.Short
