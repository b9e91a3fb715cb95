package render

import (
	"encoding/binary"
	"os"
	"testing"

	"logzlab/core/frame"
)

// TestDump writes the frames of the shows to files for a browser: LOGZLAB_DUMP is
// the folder. Each frame is preceded by its length in four bytes.
func TestDump(t *testing.T) {
	dir := os.Getenv("LOGZLAB_DUMP")
	if dir == "" {
		t.Skip("set LOGZLAB_DUMP to a folder to get the frames of the scenes")
	}
	write := func(name string, fs []*frame.Frame) {
		var b []byte
		for _, f := range fs {
			x := f.Append(nil)
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(x))), x...)
		}
		if err := os.WriteFile(dir+"/"+name+".bin", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("plane-slow", annealedBy(1000, 1, 300))
	for name, show := range shows {
		scene, fs := show()
		write(scene+"-"+name, fs)
	}
}
