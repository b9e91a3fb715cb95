// Package view makes the page's parts, as markup, from a state.Snapshot. It changes nothing: two views of one snapshot
// are the same.
//
// Read page.go first: Parts has every pane by its id. Then the panes, from the left of the page to the right:
//
//   - setup.go: model.go, methods.go, param.go, schedule.go, sketch.go (the pixels that a user fixes)
//   - picture.go and transport.go: the scene's frame, its tabs, play and step
//   - headline.go (log Z and its error), forest.go (intervals beside the truth), checks.go (verdict), previous.go,
//     pooling.go, weights.go, auto_summary.go; table.go and chart.go are the same as numbers and curves
//   - header.go: title, messages, what is dropped on the page
//
// Sheets lie over the page: sheets.go, share.go, codes.go, program.go, samples.go, training.go, browser_check.go,
// broken.go (runs broken on purpose). Other views of the page: hero.go, lecture.go with votes.go, lessons.go, tour.go,
// room.go with room_device.go and room_drawings.go. card.go and dress.go are what pictures and slides say; drawing.go has
// the drawings that users keep, chart.go and card.go what is in them.
package view
