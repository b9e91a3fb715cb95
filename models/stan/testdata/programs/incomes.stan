// Incomes above a known and losses above an unknown threshold.
data {
  int<lower=1> N;
  real<lower=0> floor_income;
  vector<lower=floor_income>[N] income;
  int<lower=1> M;
  vector[M] loss;
}
transformed data {
  real lowest = min(loss);
}
parameters {
  real<lower=0> alpha;
  real<lower=0> gap;
  real<lower=0> lambda;
  real<lower=1> shape;
}
model {
  alpha ~ gamma(2, 1);
  gap ~ exponential(2);
  lambda ~ inv_gamma(3, 6);
  shape ~ gamma(3, 1) T[1, ];
  income ~ pareto(floor_income, alpha);
  loss ~ pareto_type_2(lowest - gap, lambda, shape);
}
