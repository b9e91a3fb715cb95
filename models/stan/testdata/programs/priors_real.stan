// Independent parameters, a distribution each: log Z is 0.
parameters {
  real a;
  real b;
  real c;
  real d;
  real e;
  real f;
  real g;
  real h;
  real<lower=-pi(), upper=pi()> angle;
  real<upper=2> u;
}
model {
  a ~ normal(1, 2);
  b ~ std_normal();
  c ~ student_t(6, -1, 0.7);
  d ~ double_exponential(0.5, 1.5);
  e ~ logistic(2, 0.8);
  f ~ gumbel(-1, 1.2);
  g ~ skew_normal(0.3, 1.4, 3);
  h ~ exp_mod_normal(-0.5, 0.8, 1.1);
  angle ~ von_mises(0.4, 2);
  u ~ normal(1, 3) T[ , 2];
}
