// Package apng writes short loops as animated PNG files, for pages where a picture may have a few hundred kilobytes:
// one palette for all frames, and of each frame only what changed.
package apng
