package modelfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"logzlab/core/problem"
)

// A pickle is a program for a virtual processor with a stack and a memo. The pickle of a PyTorch state_dict needs few of its
// instructions, those of the table below. They make names, numbers and tensors without their data; nothing is called
// and nothing is looked up outside of this file. Every other instruction, and every other global, is refused.

// Limits of a pickle: bytes, values created, and depth of nested dictionaries.
const (
	maxPickle = 8 << 20
	maxValues = 1 << 18
	maxNested = 16
)

// Values of a pickle, in addition to string, int, float64, bool and nil.
type (
	pickleMark   struct{}
	pickleGlobal string // such as torch.FloatStorage
	pickleTuple  []any
	pickleList   struct{ items []any }
	pickleDict   struct{ keys, values []any }
	torchStorage struct {
		key, kind string // kind in the notation of numberType, without byte order
		numbers   int
	}
	torchTensor struct {
		storage       torchStorage
		offset        int
		shape, stride []int
	}
)

// storageKinds maps storages to types in the notation of numberType.
var storageKinds = map[pickleGlobal]string{"torch.DoubleStorage": "f8", "torch.FloatStorage": "f4",
	"torch.HalfStorage": "f2", "torch.BFloat16Storage": "bf16", "torch.LongStorage": "i8", "torch.IntStorage": "i4",
	"torch.ShortStorage": "i2", "torch.CharStorage": "i1", "torch.ByteStorage": "u1", "torch.BoolStorage": "b1"}

// Other globals that a state_dict names.
const (
	orderedDict  pickleGlobal = "collections.OrderedDict"
	rebuildV2    pickleGlobal = "torch._utils._rebuild_tensor_v2"
	rebuildParam pickleGlobal = "torch._utils._rebuild_parameter"
)

var errPickleCut = problem.New("pt file: its data.pkl is damaged or cut short; save it again")

// pickle interprets a program.
type pickle struct {
	b          []byte // the rest of the program
	stack      []any
	memo       map[uint32]any
	valueCount int
	isStopped  bool
}

// instructions are the instructions that a state_dict uses.
var instructions = map[byte]func(*pickle) error{
	0x80: func(p *pickle) error { _, err := p.take(1); return err }, // PROTO
	'.':  func(p *pickle) error { p.isStopped = true; return nil },
	'(':  func(p *pickle) error { return p.push(pickleMark{}) },
	'N':  func(p *pickle) error { return p.push(nil) },
	0x88: func(p *pickle) error { return p.push(true) },
	0x89: func(p *pickle) error { return p.push(false) },
	'}':  func(p *pickle) error { return p.push(&pickleDict{}) },
	']':  func(p *pickle) error { return p.push(&pickleList{}) },
	')':  func(p *pickle) error { return p.push(pickleTuple{}) },
	0x85: func(p *pickle) error { return p.tuple(1) },
	0x86: func(p *pickle) error { return p.tuple(2) },
	0x87: func(p *pickle) error { return p.tuple(3) },
	't': func(p *pickle) error {
		items, err := p.sinceMark()
		if err != nil {
			return err
		}
		return p.push(pickleTuple(items))
	},
	'K':  func(p *pickle) error { return p.number(1) },
	'M':  func(p *pickle) error { return p.number(2) },
	'J':  func(p *pickle) error { return p.number(4) },
	0x8a: (*pickle).long,
	'G': func(p *pickle) error {
		b, err := p.take(8)
		if err != nil {
			return err
		}
		return p.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	},
	'X': (*pickle).text,
	'c': (*pickle).global,
	'q': func(p *pickle) error { return p.put(1) },
	'r': func(p *pickle) error { return p.put(4) },
	'h': func(p *pickle) error { return p.get(1) },
	'j': func(p *pickle) error { return p.get(4) },
	's': func(p *pickle) error { return p.items(2, true) },
	'a': func(p *pickle) error { return p.items(1, false) },
	'u': func(p *pickle) error { return p.items(0, true) },
	'e': func(p *pickle) error { return p.items(0, false) },
	'b': (*pickle).build,
	'Q': (*pickle).persistent,
	'R': (*pickle).reduce,
}

// refusedInstructions names the other instructions, for errors.
const refusedInstructions = "0POP 1POP_MARK 2DUP FFLOAT IINT LLONG SSTRING TBINSTRING USHORT_BINSTRING VUNICODE " +
	"PPERSID dDICT gGET iINST lLIST oOBJ pPUT BBINBYTES CSHORT_BINBYTES \x81NEWOBJ \x82EXT1 \x83EXT2 \x84EXT4 \x8bLONG4 " +
	"\x8cSHORT_BINUNICODE \x8dBINUNICODE8 \x8eBINBYTES8 \x8fEMPTY_SET \x90ADDITEMS \x91FROZENSET \x92NEWOBJ_EX " +
	"\x93STACK_GLOBAL \x94MEMOIZE \x95FRAME \x96BYTEARRAY8 \x97NEXT_BUFFER \x98READONLY_BUFFER"

// run executes the program and returns the value on top of the stack.
func (p *pickle) run() (any, error) {
	p.memo = map[uint32]any{}
	for !p.isStopped {
		code, err := p.take(1)
		if err != nil {
			return nil, err
		}
		execute := instructions[code[0]]
		if execute == nil {
			name := fmt.Sprintf("%#x", code[0])
			for _, other := range strings.Fields(refusedInstructions) {
				if other[0] == code[0] {
					name = other[1:]
				}
			}
			return nil, problem.New("pt file: the instruction %s is not one of a state_dict; save that alone, as "+
				"torch.save(model.state_dict(), 'model.pt')", name)
		}
		if err := execute(p); err != nil {
			return nil, err
		}
	}
	return p.pop()
}

// take returns the next n bytes of the program.
func (p *pickle) take(n int) ([]byte, error) {
	if n < 0 || n > len(p.b) {
		return nil, errPickleCut
	}
	b := p.b[:n]
	p.b = p.b[n:]
	return b, nil
}

// push pushes a value, within the limit.
func (p *pickle) push(x any) error {
	if p.valueCount++; p.valueCount > maxValues {
		return problem.New("pt file: it has more than %d values; save only the state_dict", maxValues)
	}
	p.stack = append(p.stack, x)
	return nil
}

// pop removes and returns the top of the stack.
func (p *pickle) pop() (any, error) {
	if len(p.stack) == 0 {
		return nil, errPickleCut
	}
	x := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	return x, nil
}

// sinceMark pops the values above the last mark, and the mark.
func (p *pickle) sinceMark() ([]any, error) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if _, ok := p.stack[i].(pickleMark); ok {
			items := append([]any(nil), p.stack[i+1:]...)
			p.stack = p.stack[:i]
			return items, nil
		}
	}
	return nil, errPickleCut
}

// tuple replaces the top n values by a tuple.
func (p *pickle) tuple(n int) error {
	if len(p.stack) < n {
		return errPickleCut
	}
	items := append(pickleTuple(nil), p.stack[len(p.stack)-n:]...)
	p.stack = p.stack[:len(p.stack)-n]
	return p.push(items)
}

// littleEndian reads an unsigned little-endian integer of n bytes.
func (p *pickle) littleEndian(n int) (x uint64, err error) {
	b, err := p.take(n)
	for i, v := range b {
		x |= uint64(v) << (8 * i)
	}
	return x, err
}

// number pushes an integer; only integers of 4 bytes have a sign.
func (p *pickle) number(size int) error {
	x, err := p.littleEndian(size)
	if err != nil {
		return err
	}
	if size == 4 {
		return p.push(int(int32(x)))
	}
	return p.push(int(x))
}

// long pushes a signed integer of up to eight bytes.
func (p *pickle) long() error {
	size, err := p.littleEndian(1)
	if err != nil || size > 8 {
		return errPickleCut
	}
	x, err := p.littleEndian(int(size))
	if err != nil {
		return err
	}
	unused := 64 - 8*size
	return p.push(int(int64(x<<unused) >> unused))
}

// text pushes a string.
func (p *pickle) text() error {
	n, err := p.littleEndian(4)
	if err != nil || n > uint64(len(p.b)) {
		return errPickleCut
	}
	b, err := p.take(int(n))
	if err != nil {
		return err
	}
	return p.push(string(b))
}

// put stores the top of the stack in the memo.
func (p *pickle) put(size int) error {
	at, err := p.littleEndian(size)
	if err != nil || len(p.stack) == 0 {
		return errPickleCut
	}
	p.memo[uint32(at)] = p.stack[len(p.stack)-1]
	if len(p.memo) > maxValues {
		return problem.New("pt file: it has more than %d values; save only the state_dict", maxValues)
	}
	return nil
}

// get pushes a value from the memo.
func (p *pickle) get(size int) error {
	at, err := p.littleEndian(size)
	if err != nil {
		return err
	}
	x, ok := p.memo[uint32(at)]
	if !ok {
		return errPickleCut
	}
	return p.push(x)
}

// items adds the last n values (if n is 0, those above the mark) to the dictionary or list below them.
func (p *pickle) items(n int, isDict bool) (err error) {
	var items []any
	if n == 0 {
		items, err = p.sinceMark()
	} else if err = p.tuple(n); err == nil {
		var x any
		x, err = p.pop()
		items = x.(pickleTuple)
	}
	if err != nil || len(p.stack) == 0 {
		return errPickleCut
	}
	switch into := p.stack[len(p.stack)-1].(type) {
	case *pickleList:
		if !isDict {
			into.items = append(into.items, items...)
			return nil
		}
	case *pickleDict:
		if isDict && len(items)%2 == 0 {
			for i := 0; i < len(items); i += 2 {
				into.keys, into.values = append(into.keys, items[i]), append(into.values, items[i+1])
			}
			return nil
		}
	}
	return errPickleCut
}

// build discards the attributes of a dictionary, such as _metadata.
func (p *pickle) build() error {
	if _, err := p.pop(); err != nil || len(p.stack) == 0 {
		return errPickleCut
	}
	if _, ok := p.stack[len(p.stack)-1].(*pickleDict); !ok {
		return errPickleCut
	}
	return nil
}

// global pushes a global name that occurs in a state_dict.
func (p *pickle) global() error {
	module, rest, hasModule := bytes.Cut(p.b, []byte("\n"))
	name, rest, hasName := bytes.Cut(rest, []byte("\n"))
	if !hasModule || !hasName || len(module) > 200 || len(name) > 200 {
		return errPickleCut
	}
	p.b = rest
	g := pickleGlobal(string(module) + "." + string(name))
	if storageKinds[g] == "" && g != orderedDict && g != rebuildV2 && g != rebuildParam {
		return problem.New("pt file: %q is not of a state_dict; save that alone, as torch.save(model.state_dict(), "+
			"'model.pt')", string(g))
	}
	return p.push(g)
}
