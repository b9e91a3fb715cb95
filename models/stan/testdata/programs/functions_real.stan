// oracle: points only. Functions of one number, each in a place where it is smooth.
data {
  int n;
}
parameters {
  real x;
  real<lower=0> p;
  real<lower=0, upper=1> u;
}
transformed parameters {
  vector[17] a = [exp(x / 4), expm1(x / 4), exp2(x / 4), log1p_exp(x), inv_logit(x), tanh(x), atan(x), erf(x),
      erfc(x), Phi(x), Phi_approx(x), sin(x), cos(x), sinh(x / 4), cosh(x / 4), asinh(x), cbrt(p)]';
  vector[17] b = [log(p), log1p(p), log2(p), log10(p), sqrt(p), square(p), inv(p), inv_sqrt(p), inv_square(p),
      lgamma(p), digamma(p), trigamma(p), tgamma(1 + u), abs(x), p ^ 1.5, acosh(1 + p), lmgamma(3, p + 2)]';
  vector[13] c = [logit(u), log1m(u), log1m_exp(-p), log1m_inv_logit(x), log_inv_logit(x), inv_cloglog(x / 3),
      inv_Phi(u), asin(u), acos(u), atanh(u), tan(u), log_falling_factorial(p + 5, 2), log_rising_factorial(p, 3)]';
  vector[18] d = [fmax(x, p), fmin(x, u), fdim(x, u), hypot(x, p), atan2(x, p), pow(p, x), lbeta(p, u),
      lchoose(n + p, p), lmultiply(p, u), lmultiply(p, p), log_sum_exp(x, p), log_diff_exp(p + 1, u), log_mix(u, x, p),
      fma(x, p, u), gamma_p(p, 1 + u), gamma_q(1 + u, p), inc_beta(p, 1.5, u), owens_t(x, u)]';
  vector[8] e = [floor(x) * x, ceil(x), round(p), trunc(p), step(x), fmod(p, 0.7), bessel_first_kind(n, p),
      modified_bessel_first_kind(n, p)]';
}
model {
  x ~ normal(0, 1);
  p ~ gamma(3, 2);
  u ~ beta(2, 2);
  for (i in 1:17)
    target += a[i] / i - b[i] / (2 * i);
  target += sum(c) / 7 + sum(d) / 11 + sum(e) / 13 + 0.01 * (n % 3) + 1.0 * n / 7
      - modified_bessel_second_kind(n, p) / 9;
}
