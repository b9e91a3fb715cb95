// Package view renders the parts of the page as markup, from a state.Snapshot. It changes nothing: two views of one
// snapshot are identical.
//
// Read page.go first: Parts returns every pane by its DOM id. The panes, from left to right:
//
//   - setup.go: model.go, methods.go, param.go, schedule.go, sketch.go (the pixels that the user fixes)
//   - picture.go and transport.go: the frame of the scene, its tabs, play and step
//   - headline.go (log Z and its error), forest.go (intervals and the exact value), checks.go (verdict), previous.go,
//     pooling.go, weights.go, auto_summary.go; table.go and chart.go show the same as numbers and curves
//   - header.go: title, messages, dropped files
//
// Sheets open over the page: sheets.go, share.go, codes.go, program.go, samples.go, training.go, browser_check.go,
// broken.go (runs broken on purpose). Other views of the page: hero.go, lecture.go with votes.go, lessons.go, tour.go,
// room.go with room_device.go and room_drawings.go. first_views.go has the data of the page before the program has
// loaded. card.go and canvas_messages.go have the texts of pictures and slides; drawing.go has the drawings that users
// save, with content from chart.go and card.go.
package view
