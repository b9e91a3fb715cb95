data { int N; int A; array[N] int<lower=1, upper=A> choice; array[N] vector[A] price; array[A] int nest; int B; }
parameters { vector[A - 1] asc_raw; real<upper=0> bp; vector<lower=0, upper=1>[B] lambda; }
model {
  vector[A] asc = append_row(asc_raw, -sum(asc_raw));
  asc_raw ~ normal(0, 1.5); bp ~ normal(0, 1) T[, 0]; lambda ~ beta(4, 2);
  for (n in 1:N) {
    vector[A] V = asc + bp * price[n];
    vector[B] IV = rep_vector(negative_infinity(), B);
    for (a in 1:A) IV[nest[a]] = log_sum_exp(IV[nest[a]], V[a] / lambda[nest[a]]);
    int m = nest[choice[n]];
    target += V[choice[n]] / lambda[m] - IV[m] + lambda[m] * IV[m] - log_sum_exp(lambda .* IV);
  }
}
