package edge

import (
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// maxShares is the largest number of short links. If there are more, the link that was unused for the longest time is
// deleted.
const maxShares = 200_000

// usedStep is the shortest time between two updates of a link's time of last use (column made).
const usedStep = 24 * time.Hour

// putShare stores the link of an experiment or a drawing with title, text and picture, and sends the id of its short
// link.
func putShare(c *call) error {
	var s room.Share
	if json.Unmarshal(c.body, &s) != nil || !strings.HasPrefix(s.Link, "v=1&") && !strings.HasPrefix(s.Link, "stroke=") || len(s.Link) > room.MaxLink ||
		strings.ContainsAny(s.Link, "\"'<> \t\r\n") || utf8.RuneCountInString(s.Title) > 150 ||
		utf8.RuneCountInString(s.About) > 300 || s.Title == "" {
		return refusalOf(400, problem.New("a short link needs the link of an experiment, a title of at most 150 letters and a "+
			"text of at most 300"))
	}
	if s.Picture != nil && !isPicture(s.Picture) {
		return refusalOf(400, problem.New("the picture of a short link is a PNG of %d x %d pixels and at most %d kB",
			room.PictureWide, room.PictureHigh, room.MaxPicture/1000))
	}

	// The id is a hash, so that the same experiment always gets the same link.
	content := s.Link + "\n" + s.Title + "\n" + s.About
	if s.Picture != nil { // without it the first person who shares an experiment would choose the picture for all others
		content += "\n" + room.Sum(s.Picture)
	}
	id := room.ID([]byte(content))[:12]
	if ok, err := c.queryRow([]any{new(int)}, "SELECT 1 FROM share WHERE id = ?", id); err != nil {
		return err
	} else if ok {
		return c.json(room.Shared{ID: id})
	}
	if err := c.countAction(&links); err != nil {
		return err
	}

	// If there are too many links, delete the one that was unused for the longest time.
	if _, err := c.exec(`DELETE FROM share WHERE id = (SELECT id FROM share ORDER BY made LIMIT 1) AND (SELECT n FROM total
		WHERE name = 'shares') >= ?`, maxShares); err != nil {
		return err
	}
	n, err := c.exec("INSERT INTO share VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", id, s.Link, s.Title, s.About, c.now)
	if err != nil {
		return err
	}
	if s.Picture != nil && n > 0 {
		if err := c.storePicture(id, s.Picture); err != nil {
			return err
		}
	}
	return c.json(room.Shared{ID: id})
}

// showShare sends a page that redirects to the link, and has the title, text and picture for previews in messengers.
// The link itself contains the expected hash (view.expect), which the page checks.
func showShare(c *call) error {
	c.w.Header().Set("Content-Security-Policy", "default-src 'none'")
	c.w.Header().Set("Cache-Control", "public, max-age=3600")
	id := c.PathValue("id")
	var link, title, about string
	var lastUse int64
	hasOwnPicture := false // the link has its own picture
	ok, err := c.queryRow([]any{&link, &title, &about, &lastUse, &hasOwnPicture}, `SELECT link, title, about, made,
		EXISTS(SELECT 1 FROM picture p WHERE p.id = s.id) FROM share s WHERE id = ?`, id)
	if err == nil && ok && c.now-lastUse > usedStep.Milliseconds() {
		_, err = c.exec("UPDATE share SET made = ? WHERE id = ?", c.now, id)
	}
	if err != nil {
		return err
	}

	if !ok {
		c.w.Header().Set("Cache-Control", "no-store")
		write(c.w, http.StatusNotFound, "text/html; charset=utf-8", []byte(`<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>LogZ Lab</title>
<main>
<h1><a href="../">LogZ Lab</a></h1>
<p>This link leads nowhere.
<p lang="de">Dieser Link führt nirgendwohin.
</main>
`))
		return nil
	}

	picture := html.EscapeString(c.home() + previewOf(link))
	if hasOwnPicture {
		picture = html.EscapeString(c.home() + "s/" + id + "/run.png")
	}
	link, title, about = html.EscapeString(link), html.EscapeString(title), html.EscapeString(about)
	write(c.w, 200, "text/html; charset=utf-8", []byte(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>`+title+`</title>
<meta name="description" content="`+about+`">
<meta property="og:type" content="website">
<meta property="og:title" content="`+title+`">
<meta property="og:description" content="`+about+`">
<meta property="og:image" content="`+picture+`">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="`+title+`">
<meta name="twitter:card" content="summary_large_image">
<meta http-equiv="refresh" content="0; url=../#`+link+`">
<main><h1><a href="../#`+link+`">`+title+`</a></h1></main>
`))
	return nil
}

// GeneralPreview is the picture of experiments whose model has no picture.
const GeneralPreview = "previews/mixture2.png"

// nameLetters are the characters of names of built-in models.
const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// previewOf returns the file of the site, in site/previews, with the picture of the model of an experiment.
func previewOf(link string) string {
	if strings.HasPrefix(link, "stroke=") {
		return "previews/stroke.png"
	}
	for part := range strings.SplitSeq(link, "&") {
		if name, ok := strings.CutPrefix(part, "model="); ok && name != "" && strings.Trim(name, nameLetters) == "" {
			return "previews/" + name + ".png"
		}
	}
	return GeneralPreview
}

// home returns the full address of the site, which previews need. Behind a proxy that terminates TLS, the scheme is in
// the header X-Forwarded-Proto.
func (c *call) home() string {
	scheme := cmp.Or(c.Header.Get("X-Forwarded-Proto"), c.URL.Scheme, "http")
	if c.TLS != nil || scheme != "http" {
		scheme = "https"
	}
	return scheme + "://" + cmp.Or(c.Host, c.URL.Host) + "/"
}
