functions {
   real cumulative_logit_lpmf(int y, real mu, real disc, vector thres) {
     int nthres = num_elements(thres);
     if (y == 1) {
       return log_inv_logit(disc * (thres[1] - mu));
     } else if (y == nthres + 1) {
       return log1m_inv_logit(disc * (thres[nthres] - mu));
     } else {
       return log_diff_exp(
         log_inv_logit(disc * (thres[y] - mu)),
         log_inv_logit(disc * (thres[y - 1] - mu))
       );
     }
   }
   real ordered_logistic_merged_lpmf(int y, real mu, real disc, vector thres, array[] int j) {
     return ordered_logistic_lpmf(y | mu, thres[j[1]:j[2]]);
   }
}
data { int N; array[N] int Y; int nthres; vector[N] x; }
parameters { real b; ordered[nthres] Intercept; }
transformed parameters { real<lower=0> disc = 1; }
model {
  vector[N] mu = x * b;
  for (n in 1:N) target += cumulative_logit_lpmf(Y[n] | mu[n], disc, Intercept);
  target += student_t_lpdf(Intercept | 3, 0, 2.5) + normal_lpdf(b | 0, 2);
}
