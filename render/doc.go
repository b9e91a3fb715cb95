// Package render draws a run: an Ebitengine canvas that takes frames and shows one of the scenes.
//
//   - Canvas (canvas.go) paints the layout of a Stage when something has changed. canvas_print.go paints a still
//     picture, film.go animated ones; scenes.go imports all scenes.
//   - stage: Stage, the part of the canvas that does not paint (frames, settings of the page, pointer, keys), so that
//     tests can use it.
//   - scene: the interface of a scene. Each scene is a package that registers itself: units, plane, posterior, series,
//     function, ladder, travel, formation, resampling, graph, schedules, noise, race, trace, training and means. curve
//     is an editor of curves.
//   - record: the state of a run that all scenes share: the newest particles, and their history by temperature or stage
//     (up to 16 MB).
//   - paint: marks and areas. chart: layout of charts (all except the panels of ladder, which have rungs as rows, and
//     the pictures of means, which have a cell for each unit). gpu: the painter. svg: marks as an SVG document.
//     picture: encoders of GIF and PNG files. vocabulary: the words drawn on the canvas. internal/rendertest: frames
//     and helpers for tests.
//
// The only input is core/frame. Package render must not import models, methods or reports, and a scene must not depend
// on the name of a method.
package render
