# Times the gradient of a logistic regression, 1,000 data on 10 columns, at 100 points: rstan's grad_log_prob, and
# BenchmarkGradient of models/stan, which makes the same data and points, in turns. README.md tells how to run it.

suppressPackageStartupMessages(library(rstan))
rstan_options(boost_lib = "/usr/include") # Debian keeps Boost outside of R
bench <- commandArgs(TRUE)[1]

code <- "data { int N; int K; matrix[N, K] X; int y[N]; }
parameters { real alpha; vector[K] beta; }
model { y ~ bernoulli_logit(alpha + X * beta); }"
kept <- file.path(Sys.getenv("ORACLE_CACHE", tempdir()), "gradient.rds")
if (!file.exists(kept)) saveRDS(stan_model(model_code = code), kept)
model <- readRDS(kept)

K <- 10
points <- outer(0:99, 0:K, function(r, k) 0.1 * cos(r + k))
of_data <- function(N) {
  X <- outer(seq_len(N) - 1, 0:(K - 1), function(i, j) sin(11 * i + 7 * j * j))
  y <- array(as.integer(sin(13 * (seq_len(N) - 1)) > 0))
  suppressMessages(sampling(model, list(N = N, K = K, X = X, y = y), chains = 0))
}
full <- of_data(1000)
one <- of_data(1)

# micro is the time of a gradient in microseconds.
micro <- function(fit, times) {
  t <- system.time(for (i in seq_len(times)) for (r in 1:100) grad_log_prob(fit, points[r, ]))
  1e4 * t[["elapsed"]] / times
}

# ours is that of the bench, at one point a time and at 100.
ours <- function() {
  said <- system2(bench, c("-test.run", "none", "-test.bench", "Gradient", "-test.benchtime", "300ms"), stdout = TRUE)
  line <- grep("ns/point", said, value = TRUE)
  as.numeric(sub(".*?([0-9.]+) ns/point.*", "\\1", line, perl = TRUE)) / 1000
}

invisible(micro(full, 3))
rounds <- t(replicate(5, c(micro(full, 20), micro(one, 20), ours())))
cat(sprintf("us a gradient, medians of 5: rstan %.1f (%.1f with one datum); here %.1f one by one, %.1f at once\n",
            median(rounds[, 1]), median(rounds[, 2]), median(rounds[, 3]), median(rounds[, 4])))
print(round(rounds, 1))
