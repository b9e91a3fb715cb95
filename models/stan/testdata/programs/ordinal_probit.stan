// Ordered answers with a latent normal scale.
data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] int<lower=1, upper=K> y;
  vector[N] x;
}
parameters {
  ordered[K - 1] c;
  real beta;
}
model {
  c ~ student_t(5, 0, 1.5);
  beta ~ std_normal();
  for (n in 1:N)
    y[n] ~ ordered_probit(beta * x[n], c);
}
