// Package render is the moving picture of a run: an Ebitengine canvas that takes frames and shows one of the scenes.
//
//   - Canvas (canvas.go) paints what a stage lays out, when something changed; canvas_print.go and film.go make pictures
//     and loops to keep; scenes.go lists the scenes.
//   - stage has Stage: frames, choices of the page, pointer and keys of the scene on show. It paints nothing, so that
//     tests can use it.
//   - scene has the interface of a scene; each scene is a package of its own, which registers itself: units, plane,
//     posterior, series, function, ladder, travel, formation, resampling, graph, schedules, noise, race, trace, training
//     and means. hand has curves that the viewer draws.
//   - record has what all scenes know of a run: the newest particles, and how they looked at earlier temperatures or
//     stages, up to 16 MB.
//   - paint has marks and areas, chart lays charts out (all but the panels of ladder, where rungs are rows and values run
//     sideways, and the pictures of means, with a cell for each unit), gpu paints marks, svg writes them as a document, picture
//     encodes loops and stills, vocabulary lists the words, internal/rendertest has frames and helpers for tests.
//
// The only input is core/frame. It must not know models, methods or reports, and a scene must not ask for their names.
package render
