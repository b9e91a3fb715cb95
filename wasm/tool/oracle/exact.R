# Log Z where it is known without sampling: by a closed form, or by quadrature of what closed forms leave over.
# The formulas are written apart from the Stan programs, with R's own densities.

programs <- file.path(root, "programs")
of_case <- function(case) jsonlite::fromJSON(file.path(programs, paste0(case, ".json")))
known <- function(value, how) list(logz = value, how = how)

# log_integral is log of the integral of exp(f) over a line; f takes one number and top is about its maximum.
log_integral <- function(f, low, high) {
  grid <- seq(low, high, length.out = 400)
  at <- vapply(grid, f, 0)
  top <- max(at)
  near <- range(grid[at > top - 60]) + c(-1, 1) * (grid[2] - grid[1])
  near <- pmin(pmax(near, low), high)
  cuts <- seq(near[1], near[2], length.out = 9)
  part <- function(k) {
    integrate(Vectorize(function(x) exp(f(x) - top)), cuts[k], cuts[k + 1], rel.tol = 1e-10, subdivisions = 1000)$value
  }
  top + log(sum(vapply(1:8, part, 0)))
}

# log_normal_vector is the log density of y, normal about m with covariance V.
log_normal_vector <- function(y, m, V) {
  R <- chol(V)
  z <- backsolve(R, y - m, transpose = TRUE)
  -sum(log(diag(R))) - length(y) / 2 * log(2 * pi) - sum(z^2) / 2
}

# regression is log Z of y = X theta + noise with theta ~ N(0, prior variances), given the sd of the noise.
regression <- function(y, X, prior, sigma) {
  log_normal_vector(y, 0, X %*% diag(prior, ncol(X)) %*% t(X) + diag(sigma^2, length(y)))
}

log_multigamma <- function(a, K) K * (K - 1) / 4 * log(pi) + sum(lgamma(a + (1 - seq_len(K)) / 2))
log_inv_gamma <- function(x, a, b) dgamma(1 / x, a, b, log = TRUE) - 2 * log(x)
log_sum <- function(x) max(x) + log(sum(exp(x - max(x))))

exact_schools <- function() {
  d <- of_case("schools")
  f <- function(t) { # t = log tau; theta and mu are integrated in closed form
    tau <- exp(t)
    V <- diag(d$sigma^2 + tau^2) + 25
    log_normal_vector(d$y, 0, V) + log(2) + dcauchy(tau, 0, 5, log = TRUE) + t
  }
  known(log_integral(f, -30, 20), "quadrature over log tau, the rest in closed form")
}

exact_radiata <- function(case) {
  d <- of_case(case)
  X <- cbind(1, d$x - mean(d$x))
  V <- X %*% diag(1 / c(.06, 6)) %*% t(X) + diag(d$N) # times 1 / tau
  e <- d$y - X %*% c(3000, 185)
  a <- 3
  b <- 2 * 300^2
  n <- d$N
  z <- lgamma(a + n / 2) - lgamma(a) + a * log(b) - n / 2 * log(2 * pi) - as.numeric(determinant(V)$modulus) / 2 -
    (a + n / 2) * log(b + sum(e * solve(V, e)) / 2)
  known(z, "closed form: a multivariate t density")
}

exact_nig <- function() {
  d <- of_case("nig-12")
  n <- d$N
  V <- diag(n) + 1 / d$k0
  e <- d$y - d$m0
  z <- lgamma(d$a0 + n / 2) - lgamma(d$a0) + d$a0 * log(d$b0) - n / 2 * log(2 * pi) -
    as.numeric(determinant(V)$modulus) / 2 - (d$a0 + n / 2) * log(d$b0 + sum(e * solve(V, e)) / 2)
  known(z, "closed form: a multivariate t density")
}

exact_linreg <- function(case) {
  d <- of_case(case)
  known(regression(d$y, as.matrix(d$X), rep(d$t2, d$D), sqrt(d$s2)), "closed form: a normal density")
}

exact_curve <- function(case) {
  d <- of_case(case)
  X <- cbind(1, d$x, if (case == "parabola") d$x^2)
  f <- function(t) regression(d$y, X, c(25, 4, 1)[seq_len(ncol(X))], exp(t)) + dexp(exp(t), 1, log = TRUE) + t
  known(log_integral(f, -12, 5), "quadrature over log sigma, the rest in closed form")
}

exact_glm_normal <- function() {
  d <- of_case("glm_normal")
  f <- function(t) regression(d$y, cbind(1, d$X), c(25, rep(4, d$K)), exp(t)) + log_inv_gamma(exp(t), 2, 1) + t
  known(log_integral(f, -10, 8), "quadrature over log sigma, the rest in closed form")
}

exact_shifted <- function() {
  d <- of_case("shifted")
  f <- function(t) log_normal_vector(d$y, 0, diag(d$se^2 + exp(2 * t)) + 16) + dgamma(exp(t), 2, 1, log = TRUE) + t
  known(log_integral(f, -25, 5), "quadrature over log tau, the rest in closed form")
}

exact_changepoint <- function() {
  d <- of_case("changepoint")
  part <- function(y) { # Poisson counts whose rate is exponential
    log(d$r) + lgamma(1 + sum(y)) - (1 + sum(y)) * log(d$r + length(y)) - sum(lfactorial(y))
  }
  z <- vapply(seq_len(d$T), function(s) part(d$y[seq_len(s - 1)]) + part(d$y[s:d$T]), 0)
  known(log_sum(z) - log(d$T), "closed form: gamma integrals, summed over the year")
}

exact_covariance <- function() {
  d <- of_case("covariance")
  K <- d$K
  half <- function(nu, S) nu / 2 * as.numeric(determinant(S)$modulus) - nu * K / 2 * log(2) - log_multigamma(nu / 2, K)
  z <- half(d$nu, d$S) - half(d$nu + d$N, d$S + crossprod(d$y)) - d$N * K / 2 * log(2 * pi)
  known(z, "closed form: inverse Wishart")
}

exact_precision <- function() {
  d <- of_case("precision")
  K <- d$K
  whole <- function(nu, V) { # log of the constant that a Wishart density is divided by
    nu * K / 2 * log(2) + nu / 2 * as.numeric(determinant(V)$modulus) + log_multigamma(nu / 2, K)
  }
  z <- whole(d$nu + d$N, solve(solve(d$S) + crossprod(d$y))) - whole(d$nu, d$S) - d$N * K / 2 * log(2 * pi)
  known(z, "closed form: Wishart")
}

exact_urn <- function() {
  d <- of_case("urn")
  N <- (d$marked + d$caught - d$again):d$most
  z <- dnbinom(N, 5, .05 / 1.05, log = TRUE) + dhyper(d$again, d$marked, N - d$marked, d$caught, log = TRUE)
  known(log_sum(z), "closed form: a negative binomial times a hypergeometric, summed")
}

exact_directions <- function() {
  h <- of_case("directions")$heading
  f <- function(t) { # t = log kappa
    k <- exp(t)
    over <- function(m) k * sum(cos(h - m)) - length(h) * (log(2 * pi) + k + log(besselI(k, 0, TRUE)))
    log_integral(over, -pi, pi) + dgamma(k, 2, .5, log = TRUE) + t
  }
  known(log_integral(f, -9, 5), "quadrature over direction and log kappa")
}

exact_truncated <- function() {
  d <- of_case("truncated")
  f <- function(t) { # t = log sigma
    s <- exp(t)
    over <- function(m) {
      upper <- m < d$low # the tail in which nothing cancels
      ends <- pnorm(c(d$low, d$high), m, s, !upper, TRUE)
      inside <- max(ends) + log1p(-exp(min(ends) - max(ends)))
      sum(dnorm(d$y, m, s, log = TRUE)) - d$N * inside + dnorm(m, 0, 3, log = TRUE)
    }
    log_integral(over, -25, 25) + dlnorm(s, 0, .7, log = TRUE) + t
  }
  g <- function(t) {
    l <- exp(t)
    sum(dpois(d$k, l, log = TRUE)) - d$M * ppois(0, l, FALSE, TRUE) + sum(dpois(d$few, l / 2, log = TRUE)) -
      d$M * ppois(4, l / 2, TRUE, TRUE) + dgamma(l, 2, .5, log = TRUE) + t
  }
  known(log_integral(f, -2.5, 3) + log_integral(g, -5, 4), "quadrature over (mu, log sigma) and log lambda")
}

exact_extremes <- function() {
  d <- of_case("extremes")
  gumbel <- function(t) {
    b <- exp(t)
    over <- function(m) {
      z <- (d$level - m) / b
      sum(-z - exp(-z)) - d$N * t + dnorm(m, 3, 2, log = TRUE)
    }
    log_integral(over, -2, 9) + log_inv_gamma(b, 3, 2) + t
  }
  frechet <- function(t) {
    a <- exp(t)
    over <- function(u) {
      s <- exp(u)
      sum(t - u - (1 + a) * (log(d$flow) - u) - (d$flow / s)^-a) + dlnorm(s, 1, 1, log = TRUE) + u
    }
    log_integral(over, -3, 5) + dgamma(a, 4, 1, log = TRUE) + t
  }
  rayleigh <- function(t) {
    sum(log(d$wave) - 2 * t - d$wave^2 / (2 * exp(2 * t))) + dchisq(exp(t), 3, log = TRUE) + t
  }
  known(log_integral(gumbel, -4, 3) + log_integral(frechet, -2, 3) + log_integral(rayleigh, -3, 4),
        "quadrature in two, two and one dimensions")
}

exact_betabinom <- function() {
  d <- of_case("betabinom-coin")
  known(lchoose(d$n, d$k) + lbeta(d$a + d$k, d$b + d$n - d$k) - lbeta(d$a, d$b), "closed form: beta-binomial")
}

# exact_pima weighs a million draws of a Student t about the mode: nearly exact, and its error is known.
exact_pima <- function(case) {
  d <- of_case(case)
  X <- cbind(1, d$X)
  D <- ncol(X)
  log_joint <- function(B) { # a column a point
    eta <- X %*% B
    colSums(d$y * eta - ifelse(eta > 0, eta, 0) - log1p(exp(-abs(eta)))) - d$precision * colSums(B^2) / 2 +
      D / 2 * log(d$precision / (2 * pi))
  }
  top <- optim(rep(0, D), function(b) -log_joint(matrix(b)), method = "BFGS", hessian = TRUE,
               control = list(reltol = 1e-12))
  root <- t(chol(solve(top$hessian)))
  nu <- 10
  set.seed(48)
  w <- unlist(lapply(1:200, function(k) {
    z <- matrix(rnorm(D * 5000), D)
    z <- t(t(z) / sqrt(rchisq(5000, nu) / nu))
    log_t <- lgamma((nu + D) / 2) - lgamma(nu / 2) - D / 2 * log(nu * pi) - sum(log(diag(root))) -
      (nu + D) / 2 * log1p(colSums(z^2) / nu)
    log_joint(top$par + root %*% z) - log_t
  }))
  e <- exp(w - max(w))
  list(logz = max(w) + log(mean(e)), se = sd(e) / mean(e) / sqrt(length(e)),
       how = "importance sampling from a Student t about the mode, a million draws")
}

# galaxy.stan and galaxy_ordered.stan have the same integral.
same_as <- function(case) {
  path <- file.path(programs, paste0(case, ".oracle.json"))
  if (!file.exists(path)) return(NULL)
  z <- jsonlite::fromJSON(path)$logz
  list(logz = z$mean, se = z$se, how = paste("bridge sampling of", case))
}

whole_prior <- known(0, "a product of normalised densities")
exact_of <- function(case) {
  switch(case,
    coin = known(-log(11), "closed form"), "betabinom-coin" = exact_betabinom(), "nig-12" = exact_nig(),
    "linreg-line" = , "linreg-level" = , "linreg-bend" = exact_linreg(case), line = , parabola = exact_curve(case),
    "radiata-m1" = , "radiata-m2" = exact_radiata(case), schools = , schools_centred = exact_schools(),
    funnel = , priors_real = , priors_positive = , priors_unit = , priors_matrix = whole_prior,
    changepoint = exact_changepoint(), covariance = exact_covariance(), precision = exact_precision(),
    urn = exact_urn(), glm_normal = exact_glm_normal(), shifted = exact_shifted(), directions = exact_directions(),
    truncated = exact_truncated(), extremes = exact_extremes(), "galaxy-k2" = same_as("galaxy_ordered-k2"),
    "galaxy-k3" = same_as("galaxy_ordered-k3"),
    "pima-m1_vague" = , "pima-m1_unit" = , "pima-m2_vague" = , "pima-m2_unit" = exact_pima(case))
}
