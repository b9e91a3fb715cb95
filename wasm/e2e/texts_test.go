package e2e

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

//go:embed texts.js
var texts string

// TestTextsFit: at every width, in every language and in the pseudo-language, whose words are longer, no visible text
// is cut and none lies over another.
func TestTextsFit(t *testing.T) {
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	b := open(t, serve(t))
	b.visit("")
	for _, link := range []string{
		"#v=1&model=mixture2&method=ais,rts&ais.chains=20&ais.temperatures=50&rts.sweeps=50",
		"#v=1&model=rbm-pcd-20&method=rm,ais&rm.islands=2&rm.particles=8&ais.temperatures=20&view.scene=formation",
		"#v=1&model=gpc-1d&method=ais,smc&ais.temperatures=30&smc.temperatures=20&view.lesson=3",
		"#v=1&model=mixture2&method=ais&ais.temperatures=20&view.tour=3",
		"#v=1&model=mixture2&method=ais&ais.temperatures=20&view.projector=1",
	} {
		for _, lang := range []string{"en", "de", "xx"} {
			eval[bool](b, `(location.hash = '`+link+"&view.lang="+lang+`', true)`)
			b.until(time.Minute, `location.hash.includes('view.lang=`+lang+`')`)
			b.finish(time.Minute)
			for _, width := range []int64{360, 390, 768, 1280, 1920, 2560} {
				b.do(chromedp.EmulateViewport(width, max(640, width*9/16)))
				time.Sleep(150 * time.Millisecond) // for what glides
				if says := eval[[]string](b, call); len(says) > 0 {
					t.Errorf("%s in %s, %d wide:\n%s", link, lang, width, strings.Join(says, "\n"))
				}
			}
		}
	}
}
