package shared

import (
	"errors"

	"logzlab/models"
)

// FetchModel loads a bundled model file into Models. If the file is damaged or cannot be loaded, it tries once more,
// bypassing all caches.
func (d *Context) FetchModel(file string, done func(error)) { d.fetchModel(file, false, done) }

func (d *Context) fetchModel(file string, fresh bool, done func(error)) {
	d.Host.Fetch("models/"+file, fresh, func(data []byte, err error) {
		switch {
		case err == nil && models.Intact(file, data):
			d.Models[file] = data
			done(nil)
		case !fresh:
			d.fetchModel(file, true, done)
		case err != nil && d.Browser.SingleFile:
			done(errors.New(d.Words.T("fetch.alone", file, d.Snapshots.Outline().URL(d.Settings))))
		case err != nil:
			done(errors.New(d.Words.T("fetch.lost", file, d.Words.Explain(err))))
		default:
			done(errors.New(d.Words.T("fetch.damaged", file)))
		}
	})
}
