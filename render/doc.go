// Package render draws what a running estimator shows. Each scene is a layout: a function from a Picture (the newest
// frames) to marks, which tests can read. The painter of render/paint turns marks into triangles.
//
// Files in reading order:
//
//  1. canvas.go: Canvas takes frames, dress and pointer, and draws the scene on show
//  2. picture.go, wall.go, level.go: what of the frames is kept: rows, pictures at some temperatures, log Z so far
//  3. scene.go: a scene's descriptor, which is registered under the name that wasm/page has too
//  4. a family of files for each scene, named by it: units, means, plane, series, function, posterior, ladder,
//     formation, resampling, graph, schedule, noise (scene lab), race, trace, training
//  5. header.go, scrubber.go, rest.go, canvas_print.go: what stands around scenes; the bar of temperatures; prints
//
// Of runs that form particles the frames shown are kept up to 16 MB (formation_moment.go), of runs over temperatures
// pictures at some forty of them (wall_history.go). Pixels that the viewer fixes (formation_drawing.go) and curves that
// the viewer bends (hand.go: a schedule, and visits of rungs) go back to the brain as text.
//
// The only input is core/frame. It must not know models, methods or reports, and a scene must not ask for their names.
package render
