//go:build !js

package room

import "crypto/rand"

// random fills bytes at random, for codes and secrets.
func random(b []byte) { rand.Read(b) }
