package edge

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// pictureFraction sets the limit of the bytes of all pictures: 1/pictureFraction of the limit of all rooms.
const pictureFraction = 8

// allowedChunks are the PNG chunks that a picture may have; texts and colour profiles are not allowed.
var allowedChunks = map[string]bool{"IHDR": true, "PLTE": true, "tRNS": true, "IDAT": true, "IEND": true}

// isPicture reports whether b is a valid PNG of the size of previews, with nothing after it.
func isPicture(b []byte) bool {
	const signature = "\x89PNG\r\n\x1a\n"
	if len(b) > room.MaxPicture || len(b) < len(signature) || string(b[:len(signature)]) != signature {
		return false
	}

	hasData := false
	for b, first := b[len(signature):], true; len(b) >= 12; first = false {
		n := binary.BigEndian.Uint32(b)
		if n > uint32(len(b)-12) {
			return false
		}
		kind, data, sum := string(b[4:8]), b[8:8+n], binary.BigEndian.Uint32(b[8+n:])
		if !allowedChunks[kind] || first != (kind == "IHDR") || crc32.ChecksumIEEE(b[4:8+n]) != sum {
			return false
		}
		switch kind {
		case "IHDR":
			const trueColor, indexed = 2, 3
			if n != 13 || binary.BigEndian.Uint32(data) != room.PictureWide ||
				binary.BigEndian.Uint32(data[4:]) != room.PictureHigh {
				return false
			}
			depth, colorType, methods := data[8], data[9], data[10]|data[11]|data[12]
			if methods != 0 || depth > 8 || colorType != indexed && (colorType != trueColor || depth != 8) {
				return false
			}
		case "IDAT":
			hasData = true
		case "IEND":
			return hasData && n == 0 && len(b) == 12
		}
		b = b[12+n:]
	}
	return false
}

// storePicture stores the picture of the short link id. If the pictures exceed their limit, it deletes the picture of
// the link that was unused for the longest time.
func (c *call) storePicture(id string, picture []byte) error {
	data := base64.StdEncoding.EncodeToString(picture)
	if _, err := c.exec(`DELETE FROM picture WHERE id = (SELECT p.id FROM picture p JOIN share s ON s.id = p.id ORDER BY
		s.made LIMIT 1) AND (SELECT n FROM total WHERE name = 'pictures') > ?`,
		c.server.Most.All/pictureFraction-len(data)); err != nil {
		return err
	}
	_, err := c.exec("INSERT INTO picture VALUES(?, ?) ON CONFLICT DO NOTHING", id, data)
	return err
}

// showPicture sends the picture of a short link.
func showPicture(c *call) error {
	c.w.Header().Set("Content-Security-Policy", "default-src 'none'")
	var data string
	ok, err := c.queryRow([]any{&data}, "SELECT data FROM picture WHERE id = ?", c.PathValue("id"))
	if err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		c.w.Header().Set("Cache-Control", "no-store")
		return refusalOf(http.StatusNotFound, problem.New("there is nothing at %s %s", c.Method, shortened(c.URL.Path)))
	}
	c.w.Header().Set("Cache-Control", "public, max-age=86400")
	write(c.w, 200, "image/png", b)
	return nil
}
