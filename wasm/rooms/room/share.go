package room

import (
	"context"
	"encoding/json"
)

// Share is an experiment under a short link: the link with its view settings, without #, and what previews show.
type Share struct {
	Link  string `json:"link"`
	Title string `json:"title"`
	About string `json:"about"`
	// Picture is that of the run, a PNG of PictureWide x PictureHigh pixels, or nil: then previews show the model.
	Picture []byte `json:"picture,omitempty"`
}

// The size of a picture in previews, in pixels, and the most bytes that it may have.
const PictureWide, PictureHigh, MaxPicture = 1200, 630, 60_000

// Shared is the answer: the experiment is at s/ID.
type Shared struct {
	ID string `json:"id"`
}

// PutShare makes a short link. The same experiment always has the same one.
func PutShare(ctx context.Context, t Transport, s Share) (id string, err error) {
	body, _ := json.Marshal(s)
	b, err := call(ctx, t, Request{Method: "POST", Path: "share", Body: body})
	if err != nil {
		return "", err
	}
	var x Shared
	err = json.Unmarshal(b, &x)
	return x.ID, err
}
