data { int K, T; array[T] int y; }
parameters { row_stochastic_matrix[K, K] G; column_stochastic_matrix[K, 2] C; }
model { for (k in 1:K) G[k]' ~ dirichlet(rep_vector(1.5, K));
  for (t in 2:T) y[t] ~ categorical(G[y[t - 1]]'); C[, 1] ~ dirichlet(rep_vector(2, K)); }
