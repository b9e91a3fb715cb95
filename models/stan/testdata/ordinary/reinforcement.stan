// Choices between two options learned from rewards.
data {
  int<lower=1> S;
  int<lower=1> T;
  array[S, T] int<lower=1, upper=2> choice;
  array[S, T] real reward;
}
transformed data {
  vector[2] initV = rep_vector(0.0, 2);
}
parameters {
  vector[2] mu_pr;
  vector<lower=0>[2] sigma;
  vector[S] lr_pr;
  vector[S] tau_pr;
}
transformed parameters {
  vector<lower=0, upper=1>[S] lr;
  vector<lower=0, upper=3>[S] tau;
  for (s in 1:S) {
    lr[s] = Phi_approx(mu_pr[1] + sigma[1] * lr_pr[s]);
    tau[s] = Phi_approx(mu_pr[2] + sigma[2] * tau_pr[s]) * 3;
  }
}
model {
  mu_pr ~ normal(0, 1);
  sigma ~ normal(0, 0.2);
  lr_pr ~ normal(0, 1);
  tau_pr ~ normal(0, 1);
  for (s in 1:S) {
    vector[2] v = initV;
    real pe;
    for (t in 1:T) {
      choice[s, t] ~ categorical_logit(tau[s] * v);
      pe = reward[s, t] - v[choice[s, t]];
      v[choice[s, t]] += lr[s] * pe;
    }
  }
}
