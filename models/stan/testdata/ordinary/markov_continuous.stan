data { int N; array[N] int<lower=1, upper=3> from; array[N] int<lower=1, upper=3> to; vector<lower=0>[N] dt; }
parameters { vector<lower=0>[4] q; }
transformed parameters {
  matrix[3, 3] Q = [[-(q[1]), q[1], 0], [q[2], -(q[2] + q[3]), q[3]], [0, q[4], -q[4]]];
}
model {
  q ~ lognormal(-1, 1);
  for (n in 1:N) target += log(matrix_exp(Q * dt[n])[from[n], to[n]]);
}
