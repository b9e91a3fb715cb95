# What rstan and bridgesampling say about the programs of models/stan/testdata. README.md tells how to run the script.

suppressPackageStartupMessages({
  library(rstan)
  library(bridgesampling)
})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "spelling.R"))
root <- file.path(here, "../../../models/stan/testdata")
source(file.path(here, "exact.R"))
cache <- Sys.getenv("ORACLE_CACHE", file.path(tempdir(), "oracle"))
dir.create(cache, FALSE, TRUE)
rstan_options(boost_lib = "/usr/include") # Debian keeps Boost outside of R

read_text <- function(path) paste(readLines(path, warn = FALSE), collapse = "\n")

# seconds is the time on the clock, and that of the processors, which other programs do not lengthen.
seconds <- function(expr) {
  t <- system.time(expr)
  round(c(t[["elapsed"]], sum(t[c(1, 2, 4, 5)])), 2)
}

# data_of reads Stan's JSON: nested lists are arrays by rows, and a list of one number stays an array.
data_of <- function(path) {
  shape <- function(v) {
    if (!is.list(v)) return(v)
    if (length(v) == 0) return(array(numeric(0), 0))
    parts <- lapply(v, shape)
    inner <- if (is.list(v[[1]])) dim(parts[[1]]) else NULL
    d <- c(inner, length(v))
    aperm(array(unlist(parts), d), c(length(d), seq_along(inner)))
  }
  lapply(jsonlite::fromJSON(path, simplifyVector = FALSE), shape)
}

# json writes numbers with 17 digits where they need them, which R's packages do not.
json <- function(v, indent = "") {
  if (is.list(v)) {
    deeper <- paste0(indent, " ")
    items <- vapply(v, json, "", indent = deeper)
    if (is.null(names(v))) return(paste0("[", paste(items, collapse = paste0(",\n", deeper)), "]"))
    return(paste0("{", paste0('"', names(v), '": ', items, collapse = paste0(",\n", deeper)), "}"))
  }
  text <- if (is.character(v)) encodeString(v, quote = '"') else {
    short <- sprintf("%.15g", v)
    ifelse(as.numeric(short) == v, short, sprintf("%.17g", v))
  }
  if (length(v) == 1 && !inherits(v, "AsIs")) return(text)
  paste0("[", paste(text, collapse = ", "), "]")
}

# compiled is the model of a program and the time of its compilation. A program is compiled once, and read from
# the disk only by another process: R cannot load a library twice.
loaded <- new.env()
compiled <- function(program, code) {
  kept <- file.path(cache, paste0(program, "-", digest_of(code), ".rds"))
  if (is.null(loaded[[kept]])) loaded[[kept]] <- if (file.exists(kept)) readRDS(kept) else compile(program, code, kept)
  loaded[[kept]]
}

compile <- function(program, code, kept) {
  out <- list()
  out$seconds <- seconds(suppressMessages(out$model <- stan_model(model_code = code, model_name = program)))
  out$flags <- if (nzchar(Sys.getenv("R_MAKEVARS_USER"))) "fast.sh" else "of R"
  saveRDS(out, kept)
  out
}

digest_of <- function(text) {
  f <- tempfile()
  on.exit(unlink(f))
  cat(text, file = f)
  substr(unname(tools::md5sum(f)), 1, 12)
}

# points are ten draws of a standard normal, and ten of the posterior where it was sampled, with six digits.
points <- function(fit, dim, near) {
  set.seed(48)
  good <- function(x) {
    ok <- try(is.finite(log_prob(fit, x)) && all(is.finite(grad_log_prob(fit, x))), TRUE)
    isTRUE(ok)
  }
  out <- list()
  scale <- 1
  while (length(out) < 20) {
    x <- signif(scale * rnorm(dim), 6)
    if (!is.null(near) && length(out) >= 10) x <- signif(near[sample(nrow(near), 1), ], 6)
    if (good(x)) out <- c(out, list(x)) else scale <- .9 * scale
    if (scale < 1e-6) stop("no point has a finite density")
  }
  out
}

warmup <- 500
draws <- 4000 # of all four chains

# sampled runs Stan and both bridges once.
sampled <- function(model, data, seed) {
  out <- list()
  out$sampling <- seconds(fit <- sampling(model, data, chains = 4, iter = warmup + draws / 4, warmup = warmup,
                                          cores = 1, seed = seed, refresh = 0, control = list(adapt_delta = .95)))
  set.seed(seed)
  out$bridge <- seconds(normal <- bridge_sampler(fit, silent = TRUE, cores = 1))
  warp <- bridge_sampler(fit, method = "warp3", silent = TRUE, cores = 1)
  s <- summary(fit)$summary
  list(fit = fit, seconds = out, normal = normal$logml, warp = warp$logml, cv = error_measures(normal)$cv,
       divergent = get_num_divergent(fit), rhat = max(s[, "Rhat"], na.rm = TRUE),
       neff = min(s[s[, "sd"] > 0, "n_eff"], na.rm = TRUE))
}

# evidence is log Z over three runs; its error is what the runs or the bridge say, whichever is more.
evidence <- function(model, data) {
  runs <- lapply(1:3, function(k) sampled(model, data, 4800 + k))
  of <- function(name) vapply(runs, `[[`, 0, name)
  z <- of("warp")
  list(fit = runs[[1]]$fit, seconds = runs[[1]]$seconds,
       logz = list(mean = mean(z), se = max(sd(z), mean(of("cv"))) / sqrt(3), warp3 = z, normal = of("normal"),
                   cv = of("cv"), draws = draws, divergent = of("divergent"), rhat = of("rhat"), neff = of("neff")))
}

# draws_of takes 200 draws back to the unconstrained space.
draws_of <- function(fit) {
  e <- rstan::extract(fit)
  out <- vapply(seq(1, draws, by = 20), function(i) {
    at <- lapply(e[names(e) != "lp__"], function(v) {
      d <- dim(v)
      if (length(d) == 1) v[i] else array(matrix(v, d[1])[i, ], d[-1])
    })
    unconstrain_pars(fit, at)
  }, numeric(get_num_upars(fit)))
  matrix(out, ncol = get_num_upars(fit), byrow = TRUE) # a row a draw
}

oracle <- function(folder, case) {
  at <- function(ending) file.path(root, folder, paste0(case, ending))
  program <- sub("-.*", "", case)
  source <- read_text(file.path(root, folder, paste0(program, ".stan")))
  old <- old_spelling(source)
  data <- data_of(at(".json"))
  model <- compiled(program, old)
  whole <- folder == "programs" && !grepl("// oracle: points only", source, fixed = TRUE)
  out <- list(program = paste0(program, ".stan"), md5 = list(program = digest_of(source),
                                                             data = digest_of(read_text(at(".json")))))
  fit <- suppressMessages(suppressWarnings(sampling(model$model, data, chains = 0)))
  near <- NULL
  out$seconds <- list(compile = model$seconds)
  if (whole) {
    e <- suppressWarnings(evidence(model$model, data))
    out$seconds <- c(out$seconds, e$seconds)
    near <- draws_of(e$fit)
  }
  x <- points(fit, get_num_upars(fit), near)
  out$flags <- model$flags
  if (folder == "programs") out$exact <- exact_of(case)
  out$versions <- versions()
  if (whole) out$logz <- e$logz
  out$unconstrained <- I(fit@.MISC$stan_fit_instance$unconstrained_param_names(FALSE, FALSE))
  out$density <- vapply(x, function(p) log_prob(fit, p, adjust_transform = TRUE), 0)
  out$points <- lapply(x, I)
  out$gradient <- lapply(x, function(p) I(as.numeric(grad_log_prob(fit, p, adjust_transform = TRUE))))
  cat(json(out), "\n", sep = "", file = at(".oracle.json"))
  cat(format(Sys.time(), "%H:%M:%S"), case, json(out$seconds), if (whole) json(out$logz), "\n")
}

versions <- function() {
  cpu <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1])
  v <- function(p) as.character(packageVersion(p))
  list(R = paste(R.version$major, R.version$minor, sep = "."), rstan = v("rstan"), StanHeaders = v("StanHeaders"),
       bridgesampling = v("bridgesampling"), cpu = cpu)
}

# renew writes exact values again into the oracles that are there.
renew <- function(case) {
  path <- file.path(root, "programs", paste0(case, ".oracle.json"))
  text <- sub("\n \"exact\": \\{[^}]*\\},", "", read_text(path))
  e <- exact_of(case)
  before <- '\n "versions"'
  if (!is.null(e)) text <- sub(before, paste0('\n "exact": ', json(e, " "), ",", before), text, fixed = TRUE)
  cat(text, "\n", sep = "", file = path)
}

# Without names, every case without an oracle is taken, or for `exact` every case with one.
args <- commandArgs(TRUE)
folder <- if (length(args) > 0) args[1] else "programs"
cases <- args[-1]
there <- function(folder, ending) sub(ending, "", list.files(file.path(root, folder), ending))
if (folder == "exact") {
  for (case in if (length(cases) > 0) cases else there("programs", "[.]oracle[.]json$")) renew(case)
  quit()
}
if (length(cases) == 0) {
  done <- there(folder, "[.]oracle[.]json$")
  cases <- setdiff(there(folder, "[.]json$"), c(done, paste0(done, ".oracle")))
}
for (case in cases) {
  said <- try(oracle(folder, case), TRUE)
  if (inherits(said, "try-error")) cat(format(Sys.time(), "%H:%M:%S"), case, "failed:", said, "\n")
}
