package room

import (
	"context"
	"encoding/json"
)

// Share is an experiment with a short link: its link with view settings, without #, and the texts of previews.
type Share struct {
	Link  string `json:"link"`
	Title string `json:"title"`
	About string `json:"about"`
	// Picture is a PNG of the run with PictureWide x PictureHigh pixels. If it is nil, previews show the model.
	Picture []byte `json:"picture,omitempty"`
}

// Size of a picture of previews in pixels, and its maximum number of bytes.
const PictureWide, PictureHigh, MaxPicture = 1200, 630, 60_000

// Shared is the response: the experiment is at s/ID.
type Shared struct {
	ID string `json:"id"`
}

// PutShare makes a short link. The same experiment always gets the same one.
func PutShare(ctx context.Context, t Transport, s Share) (id string, err error) {
	body, _ := json.Marshal(s)
	b, err := send(ctx, t, Request{Method: "POST", Path: "share", Body: body})
	if err != nil {
		return "", err
	}
	var x Shared
	err = json.Unmarshal(b, &x)
	return x.ID, err
}
