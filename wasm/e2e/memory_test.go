package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// littleMemory limits every program to its initial memory plus the given number of 64 kB pages. Beyond that limit
// memory.grow fails, as on a computer without free memory.
const littleMemory = `{
	const leb = (n) => n < 128 ? [n] : [n & 127 | 128, ...leb(n >>> 7)];
	const limited = (bytes) => {
		const b = [...new Uint8Array(bytes)];
		const read = (at) => {
			let n = 0, shift = 0, k = at;
			do { n += (b[k] & 127) * 2 ** shift; shift += 7; } while (b[k++] & 128);
			return [n, k];
		};
		for (let at = 8; at < b.length;) {
			const [size, body] = read(at + 1);
			if (b[at] === 5) { // the memory section: one memory, without a maximum
				const [least] = read(body + 2);
				const memory = [1, 1, ...leb(least), ...leb(least + %d)];
				return new Uint8Array([...b.slice(0, at), 5, ...leb(memory.length), ...memory, ...b.slice(body + size)]);
			}
			at = body + size;
		}
		throw new Error('no memory section');
	};
	const compile = WebAssembly.compile;
	WebAssembly.compile = async (bytes) => compile.call(WebAssembly, limited(bytes));
	WebAssembly.compileStreaming = async (answer) =>
		compile.call(WebAssembly, limited(await (await answer).arrayBuffer()));
}`

// TestLittleMemory limits the memory, so that it ends while the page loads or runs. The page either gives the correct
// result or reports in an alert that memory is missing. It never hangs.
func TestLittleMemory(t *testing.T) {
	tier.Release(t)
	const link = "#v=1&model=rbm-pcd-20&method=ais,rts&ais.temperatures=60&rts.sweeps=60&rts.temperatures=10"
	s := serve(t)
	ends := map[bool]int{}
	for _, pages := range []int{48, 128, 192, 320, 512} {
		t.Run(fmt.Sprint(pages), func(t *testing.T) {
			b := open(t, s, fmt.Sprintf(littleMemory, pages))
			b.expectErrors("") // what Go prints when it has no memory
			b.visit("?workers=2" + link)
			b.until(ended)
			done := eval[bool](b, allDone)
			ends[done]++
			if said := eval[string](b, `document.querySelector('#message').innerText`); !done &&
				!strings.Contains(said, "memory") {
				t.Errorf("with %d kB beyond the initial memory: message = %q, want one about memory", 64*pages, said)
			}
			if done {
				b.shows(link)
			}
		})
	}
	if ends[false] == 0 || ends[true] == 0 {
		t.Errorf("%d runs ended with a result, %d without: the limits must cover both cases", ends[true], ends[false])
	}
}
