package modelfile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
)

// unsupported returns an error if the file has a recognised format that is not supported, nil for all other files.
func unsupported(b []byte) error {
	for _, f := range unsupportedFormats {
		if f.is(b) {
			return f.err
		}
	}
	return nil
}

// hasPrefix returns a test for one of several prefixes.
func hasPrefix(with ...string) func([]byte) bool {
	return func(b []byte) bool {
		for _, s := range with {
			if bytes.HasPrefix(b, []byte(s)) {
				return true
			}
		}
		return false
	}
}

// torchMagic begins files of torch.save before version 1.6: a pickle of one large number.
const torchMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"

// hdfMagic begins HDF5 data.
const hdfMagic = "\x89HDF\r\n"

// unsupportedFormats lists formats that are recognised but not supported.
var unsupportedFormats = []struct {
	is  func([]byte) bool
	err error
}{
	{hasPrefix("\x80\x02"+torchMagic, "\x80\x03"+torchMagic, "\x80\x04"+torchMagic),
		problem.New("it is a PyTorch file in the format of before version 1.6; save it again in Python, as " +
			"torch.save(torch.load('model.pt'), 'new.pt')")},
	{isPickle, problem.New("it is a Python pickle (.pkl, .joblib), which is a program and is not run; save its arrays " +
		"in Python, as m = joblib.load('model.joblib') or pickle.load(open('model.pkl', 'rb')), and then " +
		"numpy.savez('model.npz', components_=m.components_, intercept_visible_=m.intercept_visible_, " +
		"intercept_hidden_=m.intercept_hidden_)")},
	{isMAT73, problem.New("it is a .mat file in HDF5 (level 7.3), which is not read; save it again with the option " +
		"-v7, or -v6 for no compression, as in save('model.mat', '-v7')")},
	{isHDF, problem.New("it is an HDF5 file (.h5 of Keras, rbms or h5py, or Octave's -hdf5), which is not read; save " +
		"its arrays in Python, as f = h5py.File('model.h5'), and then numpy.savez('model.npz', " +
		"weight_matrix=f['weight_matrix'], vbias=f['vbias'], hbias=f['hbias']), by the names that list(f) shows, or " +
		"in Octave again with -v7, or -v6")},
	{isMAT4, problem.New("it is a .mat file of level 4, which is not read; save it again with the option -v7, as in " +
		"load('model.mat'), save('model.mat', '-v7'), or in Python by scipy.io.savemat('new.mat', " +
		"scipy.io.loadmat('model.mat'))")},
	{isTar, problem.New("it is a tar archive (.tar); unpack it first, as tar xf FILE, and give a file of it")},
	{isTarGz, problem.New("it is a packed tar archive (.tar.gz, .tgz); unpack it first, as tar xzf FILE, and give a " +
		"file of it")},
	{hasPrefix("BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "7z\xbc\xaf\x27\x1c", "Rar!"),
		problem.New("it is packed (by bzip2, xz, zstd, 7-Zip or RAR); unpack it first")},
	{hasPrefix("PAR1", "ARROW1"), problem.New("it is a table of Parquet or Arrow; save it as CSV, as " +
		"pandas.read_parquet(FILE).to_csv('table.csv', index=False)")},
}

// unsupportedTexts lists text formats that are recognised by their first line, in lower case, but not supported.
var unsupportedTexts = []struct {
	is  func([]byte) bool
	err error
}{
	{hasPrefix("<!doctype", "<html", "<?xml"), problem.New("it is a page of HTML or XML, perhaps in place of a download")},
	{hasPrefix("functions {", "functions{", "data {", "data{", "transformed data", "transformed parameters", "parameters {",
		"parameters{", "model {", "model{"),
		problem.New("it is a program of the Stan language; give it a name that ends in .stan")},
	{hasPrefix("@relation"), problem.New("it is a table of Weka (.arff); save it as CSV")},
	{isLibsvm, problem.New("it is a table of libsvm; save it as CSV, each feature a column, the label last")},
	{isList, problem.New("it is a list of JSON; a model is an object, as {\"kind\": \"linreg\", ...}")},
	{func(line []byte) bool { return bytes.Contains(line, []byte("<-")) },
		problem.New("it is an R dump; save a table as CSV, by write.csv, and data of a program as JSON")},
}

// unsupportedText returns an error with the line number for such a text, nil for all other texts.
func unsupportedText(b []byte) error {
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if line = bytes.ToLower(bytes.TrimSpace(line)); len(line) == 0 || hasPrefix("#", "%", "//")(line) {
			continue
		}
		for _, f := range unsupportedTexts {
			if f.is(line) {
				return problem.New("model file: line %d: %w", n, f.err)
			}
		}
		return nil
	}
	return nil
}

// isList reports whether a line begins a JSON list; [model] begins another format.
func isList(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("["))
	return ok && (len(rest) == 0 || bytes.ContainsAny(bytes.TrimSpace(rest)[:1], "{[\"-0123456789"))
}

// isLibsvm reports whether a line has the form 1 3:0.5 7:1; a line such as 5 9:30 1.5 contains a time.
func isLibsvm(line []byte) bool {
	cells := bytes.Fields(line)
	if len(cells) < 2 || !csv.IsNumber(string(cells[0])) {
		return false
	}
	for _, cell := range cells[1:] {
		index, x, ok := strings.Cut(string(cell), ":")
		if !ok || !csv.IsNumber(index) || !csv.IsNumber(x) {
			return false
		}
	}
	return true
}

// isPickle recognises binary pickles by their protocol, and text pickles by the usual beginnings of NumPy arrays and
// lists.
func isPickle(b []byte) bool {
	if len(b) > 2 && b[0] == 0x80 && 2 <= b[1] && b[1] <= 5 && (b[1] < 4 || b[2] == 0x95 || b[len(b)-1] == '.') {
		return true
	}
	return hasPrefix("ccopy_reg\n", "ccopyreg\n", "cnumpy", "ccollections\n", "csklearn", "c__main__\n", "(dp0\n", "(lp0\n",
		"(dp1\n", "(lp1\n", "(i__main__\n", "ZF0x")(b)
}

// isMAT73 reports whether a file is a MATLAB file of level 7.3.
func isMAT73(b []byte) bool {
	return bytes.HasPrefix(b, []byte("MATLAB 7.3")) || bytes.HasPrefix(b, []byte("MATLAB ")) && isHDF(b)
}

// isHDF searches for the signature at all offsets where HDF5 data may begin.
func isHDF(b []byte) bool {
	for at := 0; at <= 4096; at = max(512, 2*at) {
		if len(b) > at && bytes.HasPrefix(b[at:], []byte(hdfMagic)) {
			return true
		}
	}
	return false
}

// isMAT4 reports whether a file begins with a matrix of MATLAB level 4: five integers (type, rows, columns, imaginary
// part, length of the name) and the name, which ends with a zero byte.
func isMAT4(b []byte) bool {
	if len(b) < 22 {
		return false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		var n [5]uint32
		for i := range n {
			n[i] = order.Uint32(b[4*i:])
		}
		kind, big := n[0]%1000, order.String() == binary.BigEndian.String()
		if (n[0] >= 1000) != big || n[0] >= 2000 || kind > 52 || kind%10 > 2 || n[1] > 1<<28 || n[2] > 1<<28 || n[3] > 1 ||
			n[4] < 2 || n[4] > 64 || len(b) < 20+int(n[4]) {
			continue
		}
		name := b[20 : 20+n[4]]
		end := len(name) - 1
		if name[end] == 0 && strings.IndexFunc(string(name[:end]), invalidInName) < 0 {
			return true
		}
	}
	return false
}

// invalidInName reports whether a MATLAB name cannot contain r.
func invalidInName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// isTar reports whether a file is a tar archive.
func isTar(b []byte) bool { return len(b) > 262 && string(b[257:262]) == "ustar" }

// isTarGz reports whether a file is a gzipped tar archive.
func isTarGz(b []byte) bool { return isTar(firstBlock(b)) }

// isGzippedGraph reports whether a file is a gzipped .uai file, by the first word.
func isGzippedGraph(b []byte) bool {
	words := bytes.Fields(firstBlock(b))
	return len(words) > 0 &&
		(strings.EqualFold(string(words[0]), "MARKOV") || strings.EqualFold(string(words[0]), "BAYES"))
}

// firstBlock decompresses the first 512 bytes of a gzip file.
func firstBlock(b []byte) []byte {
	if !bytes.HasPrefix(b, []byte("\x1f\x8b")) {
		return nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	block := make([]byte, 512)
	n, _ := io.ReadFull(z, block)
	return block[:n]
}
