package rbm

import (
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
)

// JoinArrays returns a .npz file of an RBM's arrays that were saved as separate .npy files. The matrix is W; the names
// of the two vectors, otherwise their lengths, tell the visible from the hidden biases. The bytes of the result do not
// depend on the order of the parts. Known names are kept, because they determine the orientation of a square W. Errors
// describe parts that are not one matrix and two vectors.
func JoinArrays(parts []modelfile.Part) ([]byte, error) {
	var byRole [4]*modelfile.Part // W, visible and hidden biases, p1
	var vectors []*modelfile.Part
	var sizes []int
	rows, columns := 0, 0
	for i := range parts {
		p := &parts[i]
		shape, err := p.Shape()
		if err != nil {
			return nil, err
		}
		axes := slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
		role := roleOf(p.Stem())
		switch {
		case p.Stem() == "p1":
			byRole[3] = p
		case len(shape) == 2 && (len(axes) == 2 || role == 0):
			if byRole[0] != nil {
				return nil, problem.New("%s and %s are both matrices; an RBM has one matrix of weights and two lists of "+
					"biases", byRole[0].Name, p.Name)
			}
			byRole[0], rows, columns = p, shape[0], shape[1]
		case len(axes) < 2:
			n := 1
			for _, k := range axes {
				n = k
			}
			vectors, sizes = append(vectors, p), append(sizes, n)
		default:
			return nil, problem.New("%s has %d dimensions; an RBM has one matrix of weights and two lists of biases", p.Name,
				len(shape))
		}
	}
	if byRole[0] == nil || len(vectors) != 2 {
		return nil, problem.New("these .npy are no RBM (%s): give one matrix, the weights, and two lists, the biases (zeros "+
			"if the RBM has none)", nameList(parts))
	}

	// Identify the visible and hidden biases.
	first, second := roleOf(vectors[0].Stem()), roleOf(vectors[1].Stem())
	switch {
	case first > 0 && second > 0 && first != second, first > 0 && second < 0:
		byRole[first], byRole[3-first] = vectors[0], vectors[1]
	case second > 0 && first < 0:
		byRole[second], byRole[3-second] = vectors[1], vectors[0]
	case rows == columns:
		return nil, problem.New("%s is square, so the lengths of %s and %s do not tell the visible biases from the hidden "+
			"ones: name the files c_visible.npy and b_hidden.npy", byRole[0].Name, vectors[0].Name, vectors[1].Name)
	case sizes[0] == columns && sizes[1] == rows:
		byRole[1], byRole[2] = vectors[1], vectors[0]
	default:
		byRole[1], byRole[2] = vectors[0], vectors[1]
	}

	// Keep the file names if all three are known, otherwise use W, a and b.
	var named []modelfile.Part
	hasKnownNames := true
	for i, p := range byRole[:3] {
		hasKnownNames = hasKnownNames && roleOf(p.Stem()) == i
	}
	for i, p := range byRole {
		if p == nil {
			continue
		}
		part := modelfile.Part{Name: p.Stem() + ".npy", Data: p.Data}
		if !hasKnownNames && i < 3 {
			part.Name = []string{"W.npy", "a.npy", "b.npy"}[i]
		}
		named = append(named, part)
	}
	return modelfile.Archive(named)
}

// roleOf returns the index in arrayParts of the part with this name, -1 if there is none.
func roleOf(name string) int {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return slices.IndexFunc(arrayParts, func(part arrayPart) bool {
		return slices.Contains(slices.Concat(part.names...), last)
	})
}

// nameList returns the names of the parts, joined by commas.
func nameList(parts []modelfile.Part) string {
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
