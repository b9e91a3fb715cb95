package modelfile

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"logzlab/core/problem"
)

// A PyTorch file (.pt, .pth) is a zip archive with a pickle, data.pkl, that says which tensors there are, and a member
// data/KEY for the numbers of each storage. Tensors are views of storages: offset, shape and strides.

// torchPickle ends the name of the member that identifies a PyTorch file.
const torchPickle = "data.pkl"

// maxTensors is the largest number of tensors and numbers in a file, maxTensorName the largest length in bytes of a
// part of a name.
const (
	maxTensors    = 20000
	maxTensorName = 200
)

// openTorch lists the tensors of a dictionary and of nested dictionaries, with their names joined by points. Numbers
// become arrays without dimensions, and texts become notes.
func (a *Arrays) openTorch(dir string) error {
	if a.members[dir+"constants.pkl"] != nil {
		return problem.New("pt file: it is a program of TorchScript; save its tensors, as " +
			"torch.save(model.state_dict(), 'model.pt')")
	}
	if n := a.members[dir+torchPickle].UncompressedSize64; n > maxPickle {
		return problem.New("pt file: its data.pkl has %d MB; at most %d are read", n>>20, maxPickle>>20)
	}
	b, err := a.Bytes(dir + torchPickle)
	if err != nil {
		return err
	}
	top, err := (&pickle{b: b}).run()
	if err != nil {
		return err
	}
	order := "<"
	if text, err := a.Bytes(dir + "byteorder"); err != nil {
		return err
	} else if strings.TrimSpace(string(text)) == "big" {
		order = ">"
	}
	w := torchWalk{Arrays: a, storages: dir + "data/", order: order, seen: map[string]bool{}}
	a.Notes = map[string]string{}
	return w.list("", top, 0)
}

// torchWalk lists the values that a pickle has created.
type torchWalk struct {
	*Arrays
	storages, order string
	seen            map[string]bool
	values          int
}

// list adds the value x under a name.
func (w *torchWalk) list(name string, x any, depth int) error {
	if w.values++; w.values > maxValues || depth > maxNested {
		return problem.New("pt file: it nests dictionaries too deeply; save only the state_dict")
	}
	listInner := func(key string, x any) error {
		if len(key) > maxTensorName {
			return errPickleCut
		}
		if name == "" && strings.HasPrefix(key, "optim") { // the state of an optimiser
			return nil
		}
		return w.list(strings.TrimPrefix(name+"."+key, "."), x, depth+1)
	}

	// Dictionaries and lists contain further values.
	switch x := x.(type) {
	case *pickleDict:
		for i, key := range x.keys {
			switch key.(type) {
			case string, int:
			default:
				return errPickleCut
			}
			if err := listInner(fmt.Sprint(key), x.values[i]); err != nil {
				return err
			}
		}
	case *pickleList:
		return w.listAll(name, x.items, listInner)
	case pickleTuple:
		return w.listAll(name, x, listInner)

	// Texts are notes; tensors and numbers are arrays.
	case string:
		w.Notes[name] = x
	case torchTensor:
		if name == "" {
			name = "tensor"
		}
		return w.put(name, func() (*Array, error) { return x.read(w, name) })
	case int:
		return w.put(name, func() (*Array, error) { return &Array{Data: []float64{float64(x)}}, nil })
	case float64:
		return w.put(name, func() (*Array, error) { return &Array{Data: []float64{x}}, nil })
	case bool:
		number := 0.0
		if x {
			number = 1
		}
		return w.put(name, func() (*Array, error) { return &Array{Data: []float64{number}}, nil })
	case nil:
	default:
		return errPickleCut
	}
	return nil
}

// listAll adds the items of a list; texts are joined to one note.
func (w *torchWalk) listAll(name string, items []any, listInner func(string, any) error) error {
	var texts []string
	for i, x := range items {
		if s, ok := x.(string); ok && len(texts) < maxTensorName {
			texts = append(texts, s)
			w.Notes[name] = strings.Join(texts, ", ")
			continue
		}
		if err := listInner(fmt.Sprint(i), x); err != nil {
			return err
		}
	}
	return nil
}

// put adds an array.
func (w *torchWalk) put(name string, read func() (*Array, error)) error {
	if len(w.names) > maxTensors {
		return problem.New("pt file: it has more than %d tensors and numbers; save only the state_dict", maxTensors)
	}
	if w.seen[name] {
		return problem.New("pt file: %s is there twice; leave one out", name)
	}
	w.seen[name] = true
	w.add(name, read)
	return nil
}

// persistent creates a storage from its description: storage, type, key, device, number of elements.
func (p *pickle) persistent() error {
	x, err := p.pop()
	if err != nil {
		return err
	}
	t, ok := x.(pickleTuple)
	if !ok || len(t) != 5 || t[0] != "storage" {
		return errPickleCut
	}
	g, _ := t[1].(pickleGlobal)
	key, isKey := t[2].(string)
	numbers, isCount := t[4].(int)
	if storageKinds[g] == "" || !isKey || !isCount || numbers < 0 {
		return errPickleCut
	}
	return p.push(torchStorage{key, storageKinds[g], numbers})
}

// reduce evaluates a call of one of the three globals of a state_dict.
func (p *pickle) reduce() error {
	x, err := p.pop()
	if err != nil {
		return err
	}
	args, ok := x.(pickleTuple)
	if x, err = p.pop(); err != nil || !ok {
		return errPickleCut
	}

	// A dictionary, a parameter or a tensor.
	switch g, _ := x.(pickleGlobal); {
	case g == orderedDict && len(args) == 0:
		return p.push(&pickleDict{})
	case g == rebuildParam && len(args) >= 1:
		if t, ok := args[0].(torchTensor); ok {
			return p.push(t)
		}
	case g == rebuildV2 && len(args) >= 4:
		storage, ok := args[0].(torchStorage)
		offset, isOffset := args[1].(int)
		t := torchTensor{storage: storage, offset: offset}
		if !ok || !isOffset || offset < 0 {
			return errPickleCut
		}
		if t.shape, ok = intTuple(args[2]); ok {
			if t.stride, ok = intTuple(args[3]); ok && len(t.shape) == len(t.stride) {
				return p.push(t)
			}
		}
	}
	return errPickleCut
}

// intTuple converts a tuple of integers.
func intTuple(x any) ([]int, bool) {
	t, ok := x.(pickleTuple)
	if !ok || len(t) > 32 {
		return nil, false
	}
	out := []int{}
	for _, x := range t {
		n, ok := x.(int)
		if !ok || n < 0 {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// read reads the numbers of a tensor.
func (t torchTensor) read(w *torchWalk, name string) (*Array, error) {
	damaged := func(why error) error { return problem.New("pt file: tensor %s: %w", name, why) }
	f := w.members[w.storages+t.storage.key]
	if f == nil {
		return nil, damaged(problem.New("its numbers are not in the file"))
	}
	e := &elements{name: w.order + t.storage.kind, count: t.storage.numbers}
	if t.storage.kind == "bf16" && w.order == "<" {
		e.name = "bf16"
	}
	var err error
	if e.get, e.size, err = numberType(e.name); err != nil {
		return nil, damaged(err)
	}

	// The tensor must lie within its storage.
	count, ok := elementCount(t.shape)
	last := t.offset
	for i, n := range t.shape {
		if n > 1 && t.stride[i] > MaxInflated {
			ok = false
		} else if n > 1 {
			last += (n - 1) * t.stride[i]
		}
	}
	if !ok || count > 0 && (t.offset > MaxInflated || last >= e.count) || e.count > MaxInflated ||
		f.UncompressedSize64 != uint64(e.count*e.size) {
		return nil, damaged(problem.New("impossible shape %s", fmt.Sprint(t.shape)))
	}

	// Read the storage, and copy the tensor from it.
	r, err := w.open(f, inflateOps+numberOps)
	if err != nil {
		return nil, err
	}
	storage, buffered := &Array{Shape: []int{e.count}}, bufio.NewReaderSize(r, 1<<16)
	if err := storage.fill(buffered, e, name, w.Meter); err != nil {
		return nil, damaged(err)
	}
	if _, err := buffered.ReadByte(); err != io.EOF { // checksums are verified at the end
		return nil, damaged(problem.New("it is damaged or cut short: %v", err))
	}
	if err := reserve(w.Meter, name, count, 0); err != nil {
		return nil, err
	}
	x := &Array{Shape: t.shape, Data: make([]float64, count)}
	index := make([]int, len(t.shape))
	at := t.offset
	for k := range x.Data {
		x.Data[k] = storage.Data[at]
		for i := len(index) - 1; i >= 0; i-- { // the last index varies fastest
			if index[i]++; index[i] < t.shape[i] {
				at += t.stride[i]
				break
			}
			at -= (t.shape[i] - 1) * t.stride[i]
			index[i] = 0
		}
	}
	w.Meter.Free(float64(8 * e.count))
	return x, nil
}
