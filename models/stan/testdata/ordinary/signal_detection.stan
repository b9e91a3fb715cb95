data {
  int<lower=1> k;
  array[k] int<lower=0> h;
  array[k] int<lower=0> f;
  array[k] int<lower=0> s;
  array[k] int<lower=0> n;
}
parameters {
  vector[k] d;
  vector[k] c;
  real muc;
  real mud;
  real<lower=0> lambdac;
  real<lower=0> lambdad;
}
transformed parameters {
  array[k] real<lower=0, upper=1> thetah;
  array[k] real<lower=0, upper=1> thetaf;
  real<lower=0> sigmac = inv_sqrt(lambdac);
  real<lower=0> sigmad = inv_sqrt(lambdad);
  for (i in 1:k) {
    thetah[i] = Phi(d[i] / 2 - c[i]);
    thetaf[i] = Phi(-d[i] / 2 - c[i]);
  }
}
model {
  muc ~ normal(0, inv_sqrt(.5));
  mud ~ normal(0, inv_sqrt(.5));
  lambdac ~ gamma(2, 1);
  lambdad ~ gamma(2, 1);
  c ~ normal(muc, sigmac);
  d ~ normal(mud, sigmad);
  h ~ binomial(s, thetah);
  f ~ binomial(n, thetaf);
}
