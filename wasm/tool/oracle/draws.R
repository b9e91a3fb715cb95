# What rstan::read_stan_csv makes of the draws that `logz run -draws FILE.csv` writes. README.md tells how to run it.

suppressPackageStartupMessages(library(rstan))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(here, "spelling.R"))
root <- file.path(here, "../../../models/stan/testdata/programs")
logz <- commandArgs(TRUE)[1]
rstan_options(boost_lib = "/usr/include")
read_text <- function(path) paste(readLines(path, warn = FALSE), collapse = "\n")

# as_json writes what the script finds; all numbers are short.
as_json <- function(out) jsonlite::toJSON(out, auto_unbox = TRUE, digits = 4, pretty = TRUE)

# one writes draws of a program, reads them, and says how far lp__ is from rstan's density, all constants kept, at the
# most, over 50 draws; and how far the means are from Stan's own, in standard deviations.
one <- function(program) {
  at <- function(ending) file.path(root, paste0(program, ending))
  csv <- tempfile(fileext = ".csv")
  said <- system2(logz, c("run", "-model", at(".stan"), "-data", at(".json"), "-method", "is", "-set", "particles=50",
                          "-draws", csv), stdout = TRUE)
  read <- read_stan_csv(csv)
  data <- lapply(jsonlite::fromJSON(at(".json")), function(v) v)
  model <- stan_model(model_code = old_spelling(read_text(at(".stan"))))
  fit <- suppressWarnings(sampling(model, data, chains = 4, iter = 2000, refresh = 0, seed = 48,
                                   control = list(adapt_delta = .95)))
  draws <- rstan::extract(read, permuted = FALSE)[, 1, ]
  lp <- vapply(1:50, function(i) {
    e <- rstan::extract(read, permuted = FALSE)[i, 1, ]
    values <- lapply(fit@model_pars[fit@model_pars != "lp__"], function(name) {
      d <- fit@par_dims[[name]]
      v <- e[grepl(paste0("^", name, "(\\[|$)"), names(e))]
      if (length(d) == 0) unname(v) else array(v, d)
    })
    names(values) <- fit@model_pars[fit@model_pars != "lp__"]
    log_prob(fit, unconstrain_pars(fit, values)) - e[["lp__"]]
  }, 0)
  stan <- summary(fit)$summary
  own <- colnames(draws)[colnames(draws) != "lp__"]
  off <- (colMeans(draws[, own, drop = FALSE]) - stan[own, "mean"]) / pmax(stan[own, "sd"], 1e-12)
  list(program = program, draws = nrow(draws), dims = lapply(read@par_dims, function(d) I(as.integer(d))),
       lp = max(abs(lp)), means = max(abs(off)))
}

out <- list(rstan = as.character(packageVersion("rstan")), read = lapply(c("coin", "schools", "covariance"), one))
cat(as_json(out), "\n", sep = "", file = file.path(here, "draws.json"))
