package shared

import (
	"encoding/json"

	"logzlab/core/words"
)

// SingleFile describes a page that is a single file: its link, the address of the lab, the names of the user's own
// model file and data rows, and programs that it contains in addition to its own two.
type SingleFile struct {
	Link string `json:"link"`
	Lab  string `json:"lab"`
	Own  string `json:"own,omitempty"`
	Rows string `json:"rows,omitempty"`

	Programs []string `json:"programs,omitempty"`
}

// SaveSingleFile lets the user save the page as a single file that contains the given files and the current
// translations.
func (d *Context) SaveSingleFile(name string, about SingleFile, files map[string][]byte) {
	if d.Translations != nil {
		files[words.File(d.Words.Lang)] = d.Translations
	}
	text, _ := json.Marshal(about) // strings only
	d.Host.SavePage(name, string(text), files)
}
