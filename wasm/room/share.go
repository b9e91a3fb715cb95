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
}

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
	err = ReadJSON(b, Fields{"id": &x.ID})
	return x.ID, err
}
