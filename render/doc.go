// Package render draws what a running estimator shows. Each scene is a layout: a function from a Picture (the newest
// frames) to marks, which tests can read. The painter of render/gpu turns marks into triangles.
//
// Files in reading order:
//
//  1. canvas.go: Canvas takes frames, dress and pointer, and draws the scene on show
//  2. picture.go, wall.go, level.go: what of the frames is kept: rows, pictures at some temperatures, log Z so far
//  3. scene.go: a scene's descriptor, which is registered under the name that wasm/page has too
//  4. the scenes, each in files that begin with its name: the layout, then its parts
//     - units.go (units_film.go, units_tiles.go, units_scatter.go), means.go
//     - plane.go (plane_axes.go, plane_density.go, plane_relief.go, plane_marginals.go, plane_hills.go, plane_path.go,
//     plane_classifier.go)
//     - series.go (series_flows.go, series_panels.go)
//     - function.go (function_lines.go, function_album.go)
//     - posterior.go (posterior_dots.go, posterior_marginal.go)
//     - ladder.go (ladder_panels.go, ladder_chains.go, ladder_fan.go, ladder_guesses.go, ladder_guess_panels.go,
//     ladder_visits.go, ladder_plan.go, ladder_overlaps.go, ladder_heat.go, ladder_trips.go, ladder_read.go)
//     - formation.go (formation_island.go, formation_lineage.go, formation_gallery.go, formation_following.go,
//     formation_strips.go, formation_evidence.go, formation_errors.go)
//     - resampling.go (resampling_record.go, resampling_arena.go, resampling_tree.go, resampling_filter.go)
//     - graph.go (graph_layout.go, graph_order.go, graph_hand.go)
//     - schedule.go (schedule_costs.go, schedule_starts.go, schedule_hand.go)
//     - noise.go, the scene lab (noise_panels.go, noise_beside.go)
//     - race.go, trace.go (trace_curve.go, trace_names.go, trace_read.go)
//     - training.go (training_curves.go, training_pictures.go)
//  5. header.go, scrubber.go: what stands around scenes, and the bar of temperatures; canvas_frames.go: frames come and
//     go; rest.go: whether anything moves; canvas_print.go, film.go: pictures and loops to keep
//
// Of runs that form particles the frames shown are kept up to 16 MB (formation_moment.go), of runs over temperatures
// pictures at some forty of them (wall_history.go). Pixels that the viewer fixes (formation_drawing.go) and curves that
// the viewer bends (hand.go: a schedule, and visits of rungs) go back to the brain as text.
//
// The only input is core/frame. It must not know models, methods or reports, and a scene must not ask for their names.
package render
