// Choice of one of K ways to travel by distance; the first way is the reference.
data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] int<lower=1, upper=K> y;
  vector[N] x;
}
parameters {
  vector[K - 1] a;
  vector[K - 1] b;
}
transformed parameters {
  vector[K] alpha = append_row(0, a);
  vector[K] beta = append_row(0, b);
}
model {
  a ~ normal(0, 1.5);
  b ~ normal(0, 1);
  for (n in 1:N)
    y[n] ~ categorical_logit(alpha + beta * x[n]);
}
