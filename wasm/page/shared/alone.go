package shared

import (
	"encoding/json"

	"logzlab/core/words"
)

// Alone is what a page that is one file is told: its link, the address of the lab for its links, the
// names of the user's own model file and of the data rows beside it, if there are any, and programs that it holds
// beside its own two.
type Alone struct {
	Link string `json:"link"`
	Lab  string `json:"lab"`
	Own  string `json:"own,omitempty"`
	Rows string `json:"rows,omitempty"`

	Programs []string `json:"programs,omitempty"`
}

// SaveAlone lets the user keep the page as one file with others inside, in the language on show.
func (d *Context) SaveAlone(name string, about Alone, files map[string][]byte) {
	if d.Translations != nil {
		files[words.File(d.Words.Lang)] = d.Translations
	}
	text, _ := json.Marshal(about) // strings only
	d.Host.Alone(name, string(text), files)
}
