package page

import "logzlab/core/json"

// JSON is the view as the page reads it.
func (v *View) JSON() []byte {
	var w json.Writer
	w.Object().Key("link").Text(v.Link).Key("state").Text(v.State).Key("seen").Int(v.Seen).Key("lang").Text(v.Lang).Key("theme").Text(v.Theme).Key("stage")
	json.PutList(&w, v.Stage, func(d Dressing) {
		w.Object().Key("t").Text(d.T)
		switch d.T {
		case "motion":
			w.Key("reduced").Bool(d.Reduced)
		case "words":
			w.Key("words")
			json.PutMap(&w, d.Words, func(s string) { w.Text(s) })
		default:
			w.Key("name").Text(d.Name)
		}
		w.EndObject()
	})
	w.Key("sheet").Text(v.Sheet).Key("hide").Text(v.Hide).Key("embed").Bool(v.Embed).Key("numbers").Bool(v.Numbers).
		Key("entry").Int(v.Entry).Key("own").Int(v.Own).Key("parts")
	json.PutMap(&w, v.Parts, func(h HTML) { w.Text(string(h)) })
	return w.EndObject().Bytes()
}
