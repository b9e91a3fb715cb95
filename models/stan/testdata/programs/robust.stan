// Regression with outliers: Student's t, its degrees of freedom unknown.
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
transformed data {
  vector[N] xs = (x - mean(x)) / sd(x);
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  alpha ~ student_t(4, 0, 5);
  beta ~ double_exponential(0, 2);
  sigma ~ student_t(3, 0, 2) T[0, ];
  nu - 1 ~ gamma(2, 0.1);
  y ~ student_t(nu, alpha + beta * xs, sigma);
}
