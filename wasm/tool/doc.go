// Command tool has the development commands that build.sh calls. It runs natively and is not part of the site.
//
//  1. dist.go, seal.go, page.go, docs.go, lessons.go, alone.go: the static site. Scripts are joined, and the SHA-256
//     of every file is written into those that load it, so that a browser has one version of the site or none.
//     index.html gets the page's markup before any program runs. docs.go and lessons.go make pages of Markdown, alone.go
//     the page as one file
//  2. serve.go, rooms.go: a plain static host, and one with rooms
//  3. budgets.go, fma.go: sizes of the programs; fused multiply-adds in machine code
//  4. train.go, mnist.go, usps.go, pictures.go, stages.go, evaluate.go: bundled models and data
//  5. new.go: a new method, kind of model or scene, from the templates in the folder new
//  6. bench.go, bench_chromium.go, calibrate.go: speed; coverage of error bars
//
// Its tests check rules of the whole repository: imports (layers_test.go), documents (documents_test.go, docs_test.go),
// equations and citations.
package main
