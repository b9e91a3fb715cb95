#!/usr/bin/env bash
# The one script runner of LogZ Lab. `./build.sh help` lists the commands.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Results must come from the same build everywhere: no cgo, no version control stamps. Without the path of the folder in
# them, compiled packages are shared by all clones.
export CGO_ENABLED=0 GOWORK=off GOFLAGS="-trimpath -buildvcs=false ${GOFLAGS:-}"

# The packages whose results are identical on all platforms.
readonly DIGITS="./core/... ./models/... ./estimators ./estimators/anneal ./estimators/mbar ./estimators/temper
  ./estimators/smc ./estimators/resamplemove ./estimators/bridge ./estimators/auto ./estimators/catalog ./estimators/engine
  ./estimators/report ./estimators/verdict ./estimators/training ./estimators/external/... ./wasm/page/..."
WASM_EXEC="$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
readonly WASM_EXEC

usage() {
  cat <<'TEXT'
./build.sh COMMAND
  serve [ADDR [NAME...]]
                build the site and serve it, with rooms (default 127.0.0.1:8080; 0.0.0.0:8080 for a class); the
                server accepts addresses, its own name, and further NAMEs; needs only Go
  build         build bin/logz, and dist/: static files for any host, under any path
  edge          build dist-edge/: the site with rooms on Cloudflare, for wrangler deploy
  new method|model|scene NAME
                write a small example of a new method, kind of model or scene, and list what remains to be done
  quick         before a commit: format, vet, staticcheck if it is built, short tests, six golden links; no
                browser, up to 3 minutes on two cores
  test          all tests that decide whether the lab works, about 11 minutes on two cores, 14 with empty caches;
                with CI=true also lint
  release       every check and test: also speed, memory, other browsers, monkey, soak, fuzz, load (hours)
  check         go.mod, staticcheck, layers, FMA, size budgets, types of the JavaScript
  models        train the bundled models again (minutes to hours) and write site/models
  data [FILE...]  copy data that may not be redistributed to where their tests read them, and list the missing files
  published     compare published numbers of these data, with the command's code and in the page
  golden        compute the golden file again (only if results are meant to change)
  survey        verdicts on some 1,600 runs whose exact log Z the program does not know (minutes)
  survey known [WORDS]  every known answer, and verdicts with 20 seeds, or those of a "MODEL METHOD" (an hour)
  calibrate [-quick|-table] [WORD...]  measure the coverage of error bars, for 3 hours in all; -quick: for 3 more
                minutes; only cells whose name (method target budget) has every WORD; -table prints all cells
  posteriors [DIR [FLAG...]]  log Z of the posteriors of posteriordb, NAME.stan and NAME.json in DIR, and their page
                (an hour; it continues where it stopped); without DIR only the page, from the stored rows
  bench [WORK...]  speeds on this computer, of some kinds of work or all; then, or with the word arrival, the time to
                the first number on a slow device with a slow connection
  fuzz [COUNT [NAME]]  COUNT random inputs (default a million) for each fuzz target, or for FuzzNAME
  load [SECONDS [URL]]  300 devices in a room (default 120 seconds), on a server started for it or the one at URL; then
                10,000 requests to Cloudflare's runtime
  soak [MINUTES [SEED]]  random experiments under random faults (default 30 minutes)
  memory [MINUTES [LINK]]  check that a long run in the page does not use more and more memory (default 30 minutes)
  shots DIR [PATTERN]  write pictures of the page and of the scenes, or of those that match PATTERN, for inspection
Parts of test and release, each of which is a command:
  format vet lint types budgets node logz render unit e2e
TEXT
}

# ---- building

# The hash of the sources that decide the result of a unit and its encoding. Rooms (wasm/rooms/room) refuse devices of
# another build. It is the same natively and in a browser.
build_id() {
  find core models estimators wasm/rooms/room -type f ! -name '*_test.go' ! -path '*/testdata/*' ! -path '*/papers/*' \
    ! -path '*/coverage/*' ! -path '*/calibration/*' ! -path 'core/words/*' \
    | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-12
}

named() { echo "-X logzlab/wasm/rooms/room.Build=$(build_id)"; }

wasm() { # wasm DIR [FILE]: bin/DIR.wasm, or FILE, from wasm/DIR
  GOOS=js GOARCH=wasm go build -ldflags="-s -w $(named)" -o "${2:-bin/$1.wasm}" "./wasm/$1"
}

build_logz() {
  mkdir -p bin
  go build -ldflags="$(named)" -o bin/logz ./wasm/logz
  wasm logz
}

build() {
  go run ./wasm/tool lessons site/lessons
  go run ./wasm/tool handouts site/decks
  build_logz
  wasm page/worker bin/page/logz.wasm
  wasm canvas
  wasm compiler
  wasm external
  go run ./wasm/tool dist -out dist site bin/page/logz.wasm bin/canvas.wasm bin/compiler.wasm bin/external.wasm
}

# edge_worker DIR: the edge worker for workerd and wrangler, with an empty site.
edge_worker() {
  local out=$1 parts=bin/edge
  mkdir -p bin "$out/worker" "$out/migrations" "$out/public"
  go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$parts"
  GOOS=js GOARCH=wasm go build -ldflags="-s -w $(named)" -o "$out/worker/app.wasm" ./wasm/rooms/edge/worker
  {
    echo 'import program from "./app.wasm";'
    cat "$parts/wasm_exec.js"
    echo
    cat wasm/rooms/edge/worker/shim.mjs
  } >"$out/worker/worker.mjs"
  cp wasm/rooms/edge/worker/wrangler.jsonc "$out"
  cp wasm/rooms/edge/migrations/*.sql "$out/migrations"
  printf '%s\n' '/*' '  X-Content-Type-Options: nosniff' >"$out/public/_headers"
}

edge() {
  build
  rm -rf dist-edge
  edge_worker dist-edge
  cp -R dist/. dist-edge/public
  go run ./wasm/tool rooms dist-edge/public
  echo "dist-edge: the site and its rooms for Cloudflare; see site/docs/rooms.md"
}

serve() {
  build
  exec go run -ldflags="$(named)" ./wasm/tool serve "${1:-127.0.0.1:8080}" dist bin/rooms.db "${@:2}"
}

# ---- tools from outside

# want PROGRAM PACKAGE...: note the Debian packages of PROGRAM if it is missing.
missing=()
want() { command -v "$1" >/dev/null || missing+=("${*:2}"); }

# install_missing installs the packages that want has noted, by apt: at once with CI=true, otherwise after confirmation.
# It fails if a package cannot be installed.
install_missing() {
  local packages answer failed=0
  [ "${#missing[@]}" != 0 ] || return 0
  echo "missing here: apt-get install ${missing[*]}"
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "install these packages (the names are Debian's) and run this again" >&2
    return 1
  fi
  if [ "${CI:-}" != true ]; then
    read -r -p "Install them now? [y/N] " answer || answer=no
    case $answer in
      y | Y | yes | Yes) ;;
      *) echo "not installed; with CI=true they are installed without a question" >&2; return 1 ;;
    esac
  fi
  mkdir -p bin
  apt-get update -qq </dev/null >bin/apt.log 2>&1 || true
  for packages in "${missing[@]}"; do # one at a time, so that a missing package does not stop the others
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages </dev/null \
      >>bin/apt.log 2>&1 || { echo "could not install $packages: see bin/apt.log" >&2; failed=1; }
  done
  missing=()
  return "$failed"
}

# tools installs the programs that test needs.
tools() {
  want node nodejs
  command -v chromium >/dev/null || want chromium-headless-shell chromium-headless-shell
  want xauth xauth
  want xvfb-run xvfb xauth libgl1-mesa-dri libegl1 libgles2 libx11-6 libxrandr2 libxcursor1 libxinerama1 libxi6
  install_missing
}

# more_tools installs the programs that only release needs: other browsers, schedulers of clusters, pymbar. A test whose
# program cannot be installed is skipped with a message.
more_tools() {
  want chromium chromium
  want firefox-esr firefox-esr
  want WebKitWebDriver webkit2gtk-driver
  want slurmctld slurm-wlm munge
  want parallel parallel
  want buildah buildah
  want groovy groovy default-jre-headless
  # Debian's pymbar belongs to /usr/bin/python3, which may not be the first python3 in PATH.
  /usr/bin/python3 -c 'import pymbar' 2>/dev/null || want pymbar python3-pymbar
  install_missing || true
}

# ---- the parts of test

format() {
  local bad
  bad=$(gofmt -l $(go_dirs))
  [ -z "$bad" ] || { printf 'not gofmt-clean:\n%s\n' "$bad"; return 1; }
}

go_dirs() { go list -f '{{.Dir}}' ./... ; }

# The packages with files for the browser only.
readonly BROWSER="./core/num/kernel ./wasm/browser ./wasm/logz ./wasm/page/worker ./wasm/canvas ./wasm/compiler
  ./wasm/external ./wasm/rooms/room ./wasm/rooms/edge/worker"

vet() {
  go vet ./...
  GOOS=js GOARCH=wasm go vet $BROWSER
}

# Arguments are flags of go test. render needs a display and e2e a browser: they have parts of their own. The longest
# tests start first, so that no processor is idle at the end. The part vet has vetted all packages.
unit() {
  go test -vet=off -timeout 60m "$@" ./estimators/report ./wasm/page ./estimators/catalog ./wasm/logz ./models/stan \
    ./estimators/smc ./wasm/rooms/edge ./wasm/tool ./estimators/engine \
    $(go list ./... | grep -v -e '/render$' -e '/render/paint$' -e '/wasm/e2e$')
}

# Node hands argv and the whole environment to wasm, which has room for 12 KB of both.
node_exec() { echo "env -i PATH=$PATH HOME=$HOME TMPDIR=${TMPDIR:-/tmp} $WASM_EXEC"; }

wasm_test() { GOOS=js GOARCH=wasm go test -vet=off -timeout 60m -exec "$(node_exec)" "$@"; }

# Tests under WebAssembly: arithmetic, kernels, codecs, and every golden link. A release tests all packages of DIGITS,
# but of the page, which is the last one, only tests of results.
node() {
  wasm_test -run '^TestGolden$' ./estimators/report & # one processor is enough for it
  local golden=$!
  if [ -z "${LOGZ_RELEASE:-}" ]; then # the compiler of Stan programs computes little, and takes a minute
    wasm_test -short ./wasm/browser ./models/stan/tape ./models/stan/logpdf ./estimators/external/samples \
      $(go list ./core/... | grep -v core/words)
  else
    wasm_test -short ./wasm/browser ${DIGITS% *}
    wasm_test -short -run 'Digits|WorkerCounts|PauseStepResume' ./wasm/page/...
  fi
  wait "$golden"
}

render() {
  xvfb-run -a -s '-screen 0 1024x768x24' go test -timeout 60m ./render/...
}

logz() { # the golden file, by the command itself
  build_logz
  echo "native"
  bin/logz check
  echo "Node"
  $(node_exec) bin/logz.wasm check
}

# If LOGZ_BUILT is set, an earlier part has built the site. Three tests run at a time; each has its own time limit.
e2e() {
  [ -n "${LOGZ_BUILT:-}" ] || build
  ! command -v npm >/dev/null || node_modules
  local program
  for program in Xvfb firefox-esr WebKitWebDriver; do
    [ -z "${LOGZ_RELEASE:-}" ] || command -v "$program" >/dev/null ||
      echo "NOT TESTED, for want of $program: the page in browsers other than Chromium that need it"
  done
  # -v prints the time of each test.
  go test -count=1 -v -parallel 3 -timeout 0 ./wasm/e2e | { grep --line-buffered -v '^=== ' || true; }
}

# Install the packages of package-lock.json, for types and for e2e, even if an earlier part has failed.
node_modules() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --no-audit --no-fund </dev/null
}

types() { # check the types of the JavaScript, if npm is installed
  if ! command -v npm >/dev/null; then
    echo "no npm: JavaScript not type-checked"
    return
  fi
  node_modules
  node_modules/.bin/tsc -p tsconfig.json
  node_modules/.bin/tsc -p tsconfig.worker.json
  echo "JavaScript type-checked"
}

# go.mod must be tidy. staticcheck.conf turns every check of staticcheck on.
lint() {
  go mod tidy -diff
  mkdir -p bin
  go build -o bin/staticcheck honnef.co/go/tools/cmd/staticcheck
  bin/staticcheck ./...
  GOOS=js GOARCH=wasm bin/staticcheck $BROWSER
}

budgets() {
  build
  go run ./wasm/tool budgets
}

check() {
  lint
  go test -count=1 -run 'Layers|FMA|Module' ./wasm/tool ./core/num/kernel/gen
  budgets
  types
}

# parts NAME...: run every part, even if an earlier one fails, so that the log shows all failures.
parts() {
  local part start failed=() times=()
  for part in "$@"; do
    [ "$part" != e2e ] || [ "${#failed[@]}" = 0 ] || echo "=== FAILED before e2e: ${failed[*]}"
    echo "=== $part (${SECONDS} s)"
    # A fresh shell, because -e is off inside a condition.
    start=$SECONDS
    bash build.sh "$part" </dev/null 2>&1 || failed+=("$part")
    times+=("$part $((SECONDS - start))")
  done
  echo "=== $SECONDS s in all:"
  printf '%8s %5d s\n' ${times[*]}
  [ "${#failed[@]}" = 0 ] || { echo "=== FAILED: ${failed[*]}"; exit 1; }
}

quick() {
  parts format vet staticcheck short
}

staticcheck() {
  [ -x bin/staticcheck ] || { echo "no bin/staticcheck: ./build.sh lint makes it"; return; }
  bin/staticcheck ./...
}

short() { unit -short -p $(($(nproc) + 1)); } # one more test than processors, because tests of rooms wait

# staticcheck, which takes minutes to build and to run for the first time, is for CI, quick and release.
all_tests() {
  tools
  local lint=
  [ "${CI:-}" != true ] || lint=lint
  LOGZ_BUILT=1 parts format vet $lint budgets types node unit render e2e
}

release() {
  tools
  more_tools
  LOGZ_RELEASE=1 LOGZ_BUILT=1 parts format vet lint budgets types node unit render e2e arrival soak load fuzz
}

# ---- development

new() { go run ./wasm/tool new "$@"; }

models() {
  go run ./wasm/tool train "$@"
  go run ./wasm/tool stages
  (cd site/models && sha256sum *.bin *.csv *.npz *.zip) >models/bundled.sha256
}

# Copies FILE... to data/ and lists the files of others that may not be redistributed, which `published` tests. Those
# tests fail without them.
data() {
  mkdir -p data
  [ $# = 0 ] || cp -- "$@" data/
  local file description
  while IFS='|' read -r file description; do
    if [ -f "data/$file" ]; then
      echo "data/$file: $(sha256sum <"data/$file")"
    else
      echo "missing: data/$file, $description"
    fi
  done <<'TEXT'
rbm_cd25_500.npz|the CD25(500) RBM of Salakhutdinov and Murray (2008) with W, a and b
revbayes_52_stones.pp|power posteriors of RevBayes
mrbayes_two_runs.ss|stepping stones of two runs of MrBayes
benzene_coulomb_0000.xvg.bz2|with ..._0250, 0500, 0750 and 1000: five windows of GROMACS, as in alchemtest
log10z.txt|names and log10 Z of the instances (.uai.gz, .uai.evid) of the UAI 2014 contest in the same folder
TEXT
}

published() {
  data
  [ -n "${LOGZ_BUILT:-}" ] || build
  LOGZ_DATA="$PWD/data" \
    go test -count=1 -timeout 0 -run '^TestPublished$' ./estimators/external ./models/graph ./wasm/e2e
  LOGZ_SURVEY=1 go test -count=1 -timeout 0 -run '^TestSurveyCD25$' ./estimators/report
}

golden() {
  go test -count=1 -run '^TestGolden$' ./estimators/report -update
  go test -count=1 -run '^TestGoldenPrograms$' ./wasm/logz -update
}

# COUNT inputs (default a million) for each fuzz target, or for FuzzNAME. An input that fails is stored in
# testdata/fuzz.
fuzz() {
  local count=${1:-1000000} file target failed=() display
  while IFS=: read -r file target; do
    target=${target#func }
    target=${target%%(*}
    echo "=== $target (${file%/*})"
    display=()
    [ "${file%/*}" != render ] || display=(xvfb-run -a)
    "${display[@]}" go test -run '^$' -fuzz "^$target\$" -fuzzminimizetime 10x -fuzztime "${count}x" \
      "./${file%/*}" </dev/null ||
      failed+=("$target")
  done < <(grep -r "^func Fuzz${2:-}" --include='*_test.go' core models estimators render wasm)
  [ "${#failed[@]}" = 0 ] || { echo "=== FAILED: ${failed[*]}"; exit 1; }
}

# MINUTES (default 30) of random experiments under random faults, with the command and in the page.
soak() {
  [ -n "${LOGZ_BUILT:-}" ] || build
  LOGZ_RELEASE=1 LOGZ_SOAK="${1:-30}m" LOGZ_SOAK_SEED="${2:-}" \
    go test -count=1 -v -timeout 0 -run '^Test(Soak|MonkeyMemory)$' ./wasm/e2e
}

# A run of MINUTES (default 30) in the page, of LINK if it is given, which must take as long.
memory() {
  [ -n "${LOGZ_BUILT:-}" ] || build
  LOGZ_LONG="${1:-30}m" LOGZ_LINK="${2:-}" go test -count=1 -v -timeout 0 -run '^TestLongRun$' ./wasm/e2e
}

shots() {
  local dir
  mkdir -p -- "${1:?shots DIR}"
  dir=$(realpath -- "$1")
  LOGZ_SHOTS="$dir" LOGZ_ONLY="${2:-}" \
    xvfb-run -a -s '-screen 0 1024x768x24' go test -count=1 -run '^TestShots$' ./render
  [ -n "${LOGZ_BUILT:-}" ] || build
  LOGZ_SHOTS="$dir" LOGZ_CARDS="$dir" \
    go test -count=1 -timeout 0 -run '^Test(Shots|Card|Class|Remote|Loop)$' ./wasm/e2e
}

load() { LOGZ_LOAD="${1:-120}s" LOGZ_LOAD_URL="${2:-}" go test -count=1 -v -run '^Test(Load|Workerd)$' ./wasm/rooms/edge; }

bench() {
  [ "${1:-}" = arrival ] || go run ./wasm/tool bench "$@"
  [ "${1:-arrival}" != arrival ] || arrival
}

# The shortest of six times from navigation to the first number, without caches, at 10 Mbit/s and on a processor slowed
# down four times.
arrival() {
  [ -n "${LOGZ_BUILT:-}" ] || build
  go test -timeout 0 -run '^$' -bench '^BenchmarkArrival$' -benchtime 6x ./wasm/e2e
}

# An interrupted run keeps its measurements; the next call continues from there.
calibrate() {
  mkdir -p bin
  go build -o bin/tool ./wasm/tool
  bin/tool calibrate "$@"
}

# Each row is stored when it is computed. The next call continues from there, and computes rows of another build again.
posteriors() {
  mkdir -p bin
  go build -ldflags="$(named)" -o bin/logz ./wasm/logz
  go build -ldflags="$(named)" -o bin/posteriors ./wasm/tool/posteriors
  bin/posteriors "${@:2}" "${@:1:1}"
}

survey() {
  if [ "${1:-}" = known ]; then
    shift
    local which=Verdicts
    [ $# != 0 ] || which='(Truths|Models|Large|Verdicts)'
    LOGZ_SURVEY="${*:-1}" go test -count=1 -v -timeout 0 -run "^TestSurvey$which\$" ./estimators/report
  else
    go test -count=1 -timeout 2h -run '^TestSurvey$' ./estimators/report -survey testdata/survey.txt
  fi
}

command=${1:-help}
[ $# = 0 ] || shift
case $command in
  serve | build | new | quick | release | check | models | data | published | golden | bench | arrival | survey | \
    calibrate | posteriors | fuzz | soak | load | memory | shots | format | vet | lint | staticcheck | short | \
    budgets | types | unit | node | render | logz | e2e | edge | edge_worker)
    "$command" "$@" ;;
  test) all_tests ;;
  help | -h | --help) usage ;;
  *) usage >&2; exit 2 ;;
esac
