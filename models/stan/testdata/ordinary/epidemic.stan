// a discrete SIR with an own lpmf; array of arrays, segment, append_row
functions {
  vector sir(real beta, real gamma, int T, real i0) {
    vector[T] inc;
    real S = 1 - i0;
    real I = i0;
    for (t in 1:T) {
      real new_i = S * (1 - exp(-beta * I));
      inc[t] = new_i;
      S -= new_i;
      I += new_i - gamma * I;
    }
    return inc;
  }
  real reports_lpmf(array[] int y, vector mean_y, real phi) {
    return neg_binomial_2_lpmf(y | mean_y, phi);
  }
}
data {
  int T;
  int pop;
  array[T] int cases;
}
transformed data {
  int burn = 2;
}
parameters {
  real<lower=0> R0;
  real<lower=0, upper=1> gamma;
  real<lower=0> inv_phi;
  real<lower=0, upper=1> rho;
}
model {
  vector[T] inc = sir(R0 * gamma, gamma, T, 10.0 / pop);
  vector[T - burn] tail_inc = segment(inc, burn + 1, T - burn);
  R0 ~ lognormal(log(2), 0.4);
  gamma ~ beta(4, 8);
  inv_phi ~ exponential(5);
  rho ~ beta(5, 5);
  cases ~ reports(append_row(inc[1:burn], tail_inc) * pop * rho + 1e-6, inv(inv_phi));
}
