package room

import (
	"bytes"

	"logzlab/core/json"
	"logzlab/core/problem"
)

// Fields are where the values of an object go, by name. Encoding/json would do the same by reflection, but would make
// the page's program larger by 50 kB.
type Fields map[string]any

// ReadJSON reads an object. What it lacks, or has as null, stays as it is.
func ReadJSON(b []byte, fields Fields) error {
	o, err := json.ReadObject(b, nil)
	if err != nil {
		return err
	}
	return fields.Take(o)
}

// readList reads a list of objects, for each of which item gives the fields.
func readList(v json.Value, item func() Fields) error {
	all, err := v.List()
	for _, x := range all {
		var o json.Object
		if o, err = x.Object(); err == nil {
			err = item().Take(o)
		}
		if err != nil {
			break
		}
	}
	return err
}

// readListText reads a text that is such a list.
func readListText(b []byte, item func() Fields) error {
	o, err := json.ReadObject(bytes.Join([][]byte{[]byte(`{"all":`), b, []byte("}")}, nil), nil)
	if err != nil {
		return err
	}
	return readList(o["all"], item)
}

// Take takes the values of an object.
func (f Fields) Take(o json.Object) (err error) {
	for name, at := range f {
		v := o[name]
		if v.Null() {
			continue
		}
		switch x := at.(type) {
		case *string:
			*x, err = v.Text()
		case *int:
			*x, err = v.Int()
		case *int64:
			n := 0
			n, err = v.Int()
			*x = int64(n)
		case *bool:
			*x, err = v.Bool()
		case *float64:
			*x, err = v.Number()

		// Numbers that may be missing.
		case **float64:
			y := 0.0
			y, err = v.Number()
			*x = &y

		// Lists and maps.
		case *[]float64:
			*x, err = v.Numbers()
		case *[]string:
			var all []json.Value
			all, err = v.List()
			for i := 0; i < len(all) && err == nil; i++ {
				s := ""
				s, err = all[i].Text()
				*x = append(*x, s)
			}
		case *map[string]int:
			var all json.Object
			all, err = v.Object()
			*x = map[string]int{}
			for key, n := range all {
				if (*x)[key], err = n.Int(); err != nil {
					break
				}
			}

		// Values that have a reader of their own.
		case func(json.Value) error:
			err = x(v)
		default:
			err = problem.New("the answer of the room's server is damaged")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadTold takes what the board of a room says to devices.
func ReadTold(board string) (t Told) {
	_ = ReadJSON([]byte(board), Fields{"class": &t.Class, "run": &t.Run}) // of a room without a class it is any text
	return t
}

func (i *Info) read(b []byte) error {
	files := func(v json.Value) error {
		return readList(v, func() Fields {
			i.Files = append(i.Files, File{})
			f := &i.Files[len(i.Files)-1]
			return Fields{"name": &f.Name, "parts": &f.Parts}
		})
	}
	return ReadJSON(b, Fields{"code": &i.Code, "build": &i.Build, "link": &i.Link, "files": files, "opened": &i.Opened,
		"ends": &i.Ends, "closed": &i.Closed, "devices": &i.Devices, "units": &i.Units, "done": &i.Done, "looks": &i.Looks,
		"board": &i.Board})
}

func readDevices(b []byte) (all []Device, err error) {
	err = readListText(b, func() Fields {
		all = append(all, Device{})
		d := &all[len(all)-1]
		return Fields{"id": &d.ID, "joined": &d.Joined, "seen": &d.Seen, "given": &d.Given, "out": &d.Out}
	})
	return all, err
}

func (m *Meta) read(b []byte) error {
	return ReadJSON(b, Fields{"api": &m.API, "build": &m.Build, "at": &m.At})
}
