package e2e

import (
	"fmt"
	"testing"
)

// TestProgramKeys: in the text Tab indents, Esc and Tab leave it, and Ctrl+Enter runs it.
func TestProgramKeys(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick)
	b.finish()
	b.click(`[data-event=sheet][data-value=program]`)
	b.until(`document.querySelector('#program-source')`)
	press := func(key string, more string) {
		eval[bool](b, fmt.Sprintf(`!document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
			{key: %q, bubbles: true, cancelable: true%s})) || true`, key, more))
	}
	eval[bool](b, `(document.querySelector('#program-source').focus(), true)`)
	press("Tab", "")
	b.until(`document.querySelector('#program-source').value === '  '`)
	b.set("#program-source", "exp(-x^2/2)")
	b.until(`!document.querySelector('#compile').disabled`)
	press("Enter", ", ctrlKey: true")
	b.until(`location.hash.includes('view.program=')`)
	b.finish()
	press("Escape", "")
	b.until(`document.querySelector('#sheet').open`)
}
