package rbm

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/internal/bound"
)

// torchPart is a tensor of a state_dict: the type and the numbers of its storage, and its view.
type torchPart struct {
	name, kind    string
	storage       []float64
	offset        int
	shape, stride []int
}

// whole returns a tensor that has all of its storage in order.
func whole(name, kind string, x []float64, shape ...int) torchPart {
	stride, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i], n = n, n*shape[i]
	}
	return torchPart{name, kind, x, 0, shape, stride}
}

// Pieces of a pickle of protocol 2, as CPython writes them.
func pickled(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func pickledInt(n int) string {
	return "J" + string(binary.LittleEndian.AppendUint32(nil, uint32(int32(n))))
}

func pickledInts(x []int) string {
	out := "("
	for _, n := range x {
		out += pickledInt(n)
	}
	return out + "t"
}

// stateDict returns the pickle of a state_dict, with extra opcodes before its end.
func stateDict(parts []torchPart, more string) string {
	b := "\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01("
	for i, p := range parts {
		b += pickled(p.name) + "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + "ctorch\n" + p.kind +
			"Storage\n" + pickled(fmt.Sprint(i)) + pickled("cpu") + pickledInt(len(p.storage)) + "tQ" +
			pickledInt(p.offset) + pickledInts(p.shape) + pickledInts(p.stride) + "\x89ccollections\nOrderedDict\n)RtR"
	}
	return b + "u" + more + "}" + pickled("_metadata") + "h\x00)Rsb."
}

// torchFile returns the archive of a pickle and of the storages of parts.
func torchFile(program string, parts []torchPart) []byte {
	members := []member{{"archive/data.pkl", []byte(program)}, {"archive/byteorder", []byte("little")}}
	kinds := map[string]string{"Float": "<f4", "Double": "<f8", "Half": "<f2", "Long": "<i8", "Int": "<i4", "Short": "<i2",
		"Char": "|i1", "Byte": "|u1", "Bool": "|b1",
		"ComplexFloat": "<f4"}
	for i, p := range parts {
		var data []byte
		if p.kind == "BFloat16" {
			for _, x := range p.storage {
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(float32(x))>>16))
			}
		} else {
			data = npy(kinds[p.kind], false, p.storage, len(p.storage))
			data = data[10+int(binary.LittleEndian.Uint16(data[8:])):]
		}
		members = append(members, member{fmt.Sprintf("archive/data/%d", i), data})
	}
	return npz(nil, append(members, member{"archive/version", []byte("3\n")})...)
}

func torchRBM(kind string) []torchPart {
	return []torchPart{whole("rbm.W", kind, []float64{1, 3, -5, -2, 4, 6}, 2, 3), whole("rbm.v_bias", kind, c3, 3),
		whole("rbm.h_bias", kind, b2, 2)}
}

// TestTorch checks that tensors of all types, and views, are read.
func TestTorch(t *testing.T) {
	want := Params{M: 3, J: 2, W: w32, C: c3, B: b2}
	for _, kind := range []string{"Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char"} {
		parts := torchRBM(kind)
		f, err := kinds.ReadFile(torchFile(stateDict(parts, ""), parts), nil)
		if err != nil || !reflect.DeepEqual(unread(f), want) {
			t.Errorf("%s: %+v, %v", kind, f, err)
		}
	}
	views := []torchPart{{"W", "Float", []float64{9, 1, -2, 3, 4, -5, 6}, 1, []int{2, 3}, []int{1, 2}},
		{"v_bias", "Float", []float64{7, 0, -8, 0, 9}, 0, []int{3}, []int{2}},
		{"h_bias", "Float", []float64{0, -1, 2}, 1, []int{1, 2}, []int{99, 1}}}
	f, err := kinds.ReadFile(torchFile(stateDict(views, ""), views), nil)
	if err != nil || !reflect.DeepEqual(unread(f), want) {
		t.Errorf("views: %+v, %v", f, err)
	}
	views[1] = torchPart{"v_bias", "Float", []float64{7}, 0, []int{3}, []int{0}} // expanded
	f, err = kinds.ReadFile(torchFile(stateDict(views, ""), views), nil)
	if err != nil || !slices.Equal(f.(Params).C, []float64{7, 7, 7}) {
		t.Errorf("expanded: %+v, %v", f, err)
	}

	// A checkpoint: a dictionary with a state_dict and parameters.
	parts := torchRBM("Float")
	inner := strings.TrimSuffix(stateDict(parts, ""), ".")[2:]
	program := "\x80\x02}(" + pickled("epoch") + "K\x03" + pickled("loss") + "G\xbf\xf8\x00\x00\x00\x00\x00\x00" +
		pickled("model") + inner + pickled("optimizer") + "}" + pickled("W") + "]NasNu."
	program = strings.Replace(program, "]NasN", "](N\x88es", 1)
	f, err = kinds.ReadFile(torchFile(program, parts), nil)
	got := unread(f).(Params)
	got.unread = nil // the epoch and the loss
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("checkpoint: %+v, %v", f, err)
	}
	one := []torchPart{whole("", "Byte", []float64{0, 1, 1, 1, 0, 0}, 2, 3)}
	_, rows, _ := strings.Cut(stateDict(one, ""), pickled(""))
	rows = strings.TrimSuffix(rows, "u}"+pickled("_metadata")+"h\x00)Rsb.")
	bits, _, _, err := modelfile.ReadRows(torchFile("\x80\x02"+rows+".", one), 3, nil)
	if err != nil || !slices.Equal(bits, []uint8{0, 1, 1, 1, 0, 0}) {
		t.Errorf("rows: %v, %v", bits, err)
	}
}

// TestBadTorch checks that anything outside of a state_dict is refused by name, and that damage and invalid sizes are
// errors.
func TestBadTorch(t *testing.T) {
	parts := torchRBM("Float")
	good := torchFile(stateDict(parts, ""), parts)
	change := func(edit func(p []torchPart)) []byte {
		p := torchRBM("Float")
		edit(p)
		return torchFile(stateDict(p, ""), p)
	}
	program := func(p string) []byte { return torchFile("\x80\x02"+p, parts) }
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"a call":        {program("cos\nsystem\n" + pickled("true") + "\x85R."), `"os.system" is not of a state_dict`},
		"a module":      {program("c__main__\nRBM\n)\x81}b."), `"__main__.RBM" is not of a state_dict`},
		"an object":     {program("ccollections\nOrderedDict\n)\x81."), "the instruction NEWOBJ is not one"},
		"protocol 4":    {torchFile("\x80\x04\x95"+strings.Repeat("\x00", 8)+"}.", parts), "the instruction FRAME is not"},
		"unknown":       {program("\xff."), "the instruction 0xff is not"},
		"complex":       {change(func(p []torchPart) { p[0].kind = "ComplexFloat" }), `"torch.ComplexFloatStorage" is not`},
		"call of a str": {program(pickled("x") + ")R."), "data.pkl is damaged"},
		"no mark":       {program("}u."), "data.pkl is damaged"},
		"no stack":      {program("."), "data.pkl is damaged"},
		"no memo":       {program("h\x07."), "data.pkl is damaged"},
		"a long text":   {program("X\xff\xff\xff\x7fabc."), "data.pkl is damaged"},
		"in itself":     {program("}q\x00" + pickled("a") + "h\x00s."), "nests dictionaries too deeply"},
		"many":          {program(strings.Repeat("}", 300000) + "."), "more than 262144 values"},
		"twice":         {program("}(" + pickled("x") + "K\x01" + pickled("x") + "K\x02u."), "x is there twice"},
		"a number":      {program("K\x01."), "no array for the weights"},
		"empty":         {program("}."), "no array for the weights"},
		"beyond":        {change(func(p []torchPart) { p[0].offset = 1 }), "tensor rbm.W: impossible shape [2 3]"},
		"before":        {change(func(p []torchPart) { p[0].offset = -1 }), "data.pkl is damaged"},
		"long stride":   {change(func(p []torchPart) { p[0].stride = []int{1 << 30, 1} }), "impossible shape"},
		"negative":      {change(func(p []torchPart) { p[0].stride = []int{3, -1} }), "data.pkl is damaged"},
		"huge": {change(func(p []torchPart) { p[0].shape, p[0].stride = []int{1 << 30, 1 << 30}, []int{0, 0} }),
			"impossible shape"},
		"expanded": {change(func(p []torchPart) { p[0].shape, p[0].stride = []int{1 << 14, 1 << 13}, []int{0, 0} }),
			"at most 33 million are read"},
		"lacking": {bytes.ReplaceAll(good, []byte("archive/data/0"), []byte("archive/data/9")), "its numbers are not in the"},
		"another size": {torchFile(stateDict(parts, ""), append([]torchPart{whole("", "Float", c3, 3)}, parts[1:]...)),
			"tensor rbm.W: impossible shape"},
		"TorchScript": {npz(nil, member{"m/data.pkl", []byte("}.")}, member{"m/constants.pkl", nil}), "TorchScript"},
		"Gaussian": {torchFile(strings.Replace(stateDict(parts, ""), "u}", pickled("visible_type")+pickled("gaussian")+"u}",
			1), parts), `visible_type is "gaussian"`},
		"two layers": {change(func(p []torchPart) { p[1].name = "rbm2.W" }), "several matrices of weights (rbm.W, rbm2.W)"},
		"bomb":       {npz(pack, member{"m/data.pkl", make([]byte, 9<<20)}), "data.pkl has 9 MB"},
	} {
		check := bound.Check(t)
		f, err := kinds.ReadFile(c.file, nil)
		check()
		if err == nil || f != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, c.says)
		}
	}
	for n := range good {
		if f, err := kinds.ReadFile(good[:n], nil); err == nil || f != nil {
			t.Fatalf("%d of %d bytes are accepted", n, len(good))
		}
	}
}

// TestOtherFormats checks that known but unsupported formats are named in errors, as models and as rows, with advice.
func TestOtherFormats(t *testing.T) {
	tar := append(make([]byte, 257), "ustar\x0000"...)
	tar = append(tar, make([]byte, 300)...)
	gz := func(b []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, _ = w.Write(b)
		_ = w.Close()
		return out.Bytes()
	}
	level4 := func(order binary.AppendByteOrder, kind uint32) []byte {
		var b []byte
		for _, n := range []uint32{kind, 1, 1, 0, 7} {
			b = order.AppendUint32(b, n)
		}
		return append(append(b, "vishid\x00"...), make([]byte, 8)...)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"old .pt": {[]byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."),
			"before version 1.6; save it again in Python"},
		"pickle 2":      {[]byte("\x80\x02}q\x00."), "a Python pickle"},
		"pickle 4":      {[]byte("\x80\x04\x95\x01\x00\x00\x00\x00\x00\x00\x00}."), "numpy.savez('model.npz'"},
		"pickle 0":      {[]byte("(dp0\nVW\np1\nI1\ns."), "a Python pickle"},
		"joblib":        {[]byte("ZF0x10 "), "joblib.load"},
		"HDF5":          {[]byte("\x89HDF\r\n\x1a\n" + strings.Repeat("x", 100)), "h5py.File('model.h5')"},
		"HDF5, later":   {append(make([]byte, 2048), "\x89HDF\r\n\x1a\n"...), "an HDF5 file"},
		"level 7.3":     {append(fmt.Appendf(nil, "%-512s", "MATLAB 7.3 MAT-file"), "\x89HDF\r\n\x1a\n"...), "-v7, or -v6"},
		"level 4":       {level4(binary.LittleEndian, 0), "level 4, which is not read; save it again with the option -v7"},
		"level 4, big":  {level4(binary.BigEndian, 1000), "level 4"},
		"level 4, bits": {level4(binary.LittleEndian, 50), "level 4"},
		"tar":           {tar, "tar xf"},
		"tar.gz":        {gz(tar), "tar xzf"},
		"zstd":          {[]byte("\x28\xb5\x2f\xfd...."), "unpack it first"},
		"Parquet":       {[]byte("PAR1...."), "to_csv"},
	} {
		f, err := kinds.ReadFile(c.file, nil)
		checkError(t, name, f, err, c.says)
		_, _, _, err = modelfile.ReadRows(c.file, 3, nil)
		checkError(t, name+", rows", nil, err, c.says)
		_, _, _, err = modelfile.ReadBits(c.file, math.NaN(), nil)
		checkError(t, name+", bits", nil, err, c.says)
	}
	f, err := kinds.ReadFile(gz([]byte(goodRBM)), nil)
	checkError(t, "packed", f, err, "packed by gzip; unpack it first")
	if f, err := kinds.ReadFile(level4(binary.LittleEndian, 5), nil); err == nil || f != nil ||
		strings.Contains(err.Error(), "level 4") {
		t.Errorf("level 4: error %v", err)
	}
}

// FuzzTorch checks that any pickle and any storages give an error or a model with consistent shapes, and have no other
// effect.
func FuzzTorch(f *testing.F) {
	parts := torchRBM("Float")
	f.Add([]byte(stateDict(parts, "")), make([]byte, 24), true)
	f.Add([]byte(stateDict(torchRBM("Half"), "")), make([]byte, 12), true)
	f.Add([]byte("\x80\x02}q\x00("+pickled("W")+"h\x00"+pickled("x")+"](K\x01G\x00\x00\x00\x00\x00\x00\x00\x00eu."),
		[]byte{}, true)
	f.Add(torchFile(stateDict(parts, ""), parts), []byte{}, false)
	f.Fuzz(func(t *testing.T, program, numbers []byte, inside bool) {
		defer bound.Check(t)()
		b := program
		if inside {
			b = npz(nil, member{"a/data.pkl", program}, member{"a/data/0", numbers}, member{"a/data/1", numbers},
				member{"a/data/2", numbers})
		}
		m, err := kinds.ReadFile(b, nil)
		if r, ok := m.(Params); err == nil && ok && (len(r.W) != r.M*r.J || len(r.C) != r.M || len(r.B) != r.J) {
			t.Errorf("rbm of %d x %d with %d weights", r.M, r.J, len(r.W))
		}
	})
}
