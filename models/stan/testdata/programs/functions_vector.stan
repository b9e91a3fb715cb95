// oracle: points only. Functions of vectors and arrays.
functions {
  vector reverse_of(vector x) {
    int n = rows(x);
    vector[n] out;
    for (i in 1:n)
      out[i] = x[n + 1 - i];
    return out;
  }
}
data {
  int<lower=4> N;
  vector[N] y;
  array[N] int k;
}
transformed data {
  vector[N] sorted = sort_asc(y);
  array[N] int order = sort_indices_desc(y);
  real middle = (max(y) + min(y)) / 2 + sd(y) + variance(y) + mean(y) + prod(y);
  int total = sum(k) + max(k) - min(k) + rank(y, 2) + size(k) + num_elements(y) + rows(y);
}
parameters {
  vector[N] v;
  row_vector[N] r;
  array[3] real c;
}
model {
  vector[N] s = softmax(v);
  vector[N] w = cumulative_sum(v) + rep_vector(0.5, N) - segment(append_row(v, r'), 3, N);
  array[N] real a = to_array_1d(v .* y);
  matrix[2, 2] M = to_matrix(head(v, 4), 2, 2);
  v ~ normal(0, 1);
  r ~ normal(0, 2);
  c ~ normal(0, 1);
  target += dot_product(v, y) / 5 + dot_self(r) / 50 + log_sum_exp(w) - log_softmax(v)[2] / 3 + sum(tail(a, 2)) / 4;
  target += distance(v, y) / 3 + squared_distance(v, sorted) / 20 + mean(v) * sd(v) + variance(r) / 9 + prod(c) / 30;
  target += max(v) - min(r) + sum(exp(v / 3) ./ (1 + square(r'))) / 6 + r * v / 10 - sum(v[order[1:2]]) / 8;
  target += M[1, 2] - M[2, 1] / 2 + sum(append_array(c, a)) / 9 + v[k[1]] * r[k[2]] + middle / 10 + total * 0.01;
  target += sum(columns_dot_product(M, M)) / 40 + sum(square(to_vector(M))) / 60 + s[1] * s[N]
      + sum(sort_desc(v)[1:2]) / 7;
  target += log_sum_exp(c) - abs(c[1]) / 5 + sum(inv_logit(v)) / 9 - sum(log1p(square(v))) / 8 + num_elements(c);
  target += sum(to_row_vector(v) * 2 - r) / 15 + sum(rep_row_vector(c[2], 3)) / 6 + sum(reverse_of(v)[1:2]) / 9;
}
