data{
    int N;
    vector[N] D_obs; vector<lower=0>[N] D_sd; vector[N] M_obs; vector[N] M_sd; vector[N] A;
}
parameters{
    vector[N] D_true; vector[N] M_true;
    real a, bA, bM, aM, bAM;
    real<lower=0> sigma; real<lower=0> tau;
}
transformed parameters { vector[N] mu = a + bA * A + bM * M_true; }
model{
    profile("priors") {
      sigma ~ exponential( 1 ); tau ~ exponential( 1 );
      a ~ normal( 0 , 0.2 ); bA ~ normal( 0 , 0.5 ); bM ~ normal( 0 , 0.5 );
      aM ~ normal( 0 , 0.2 ); bAM ~ normal( 0 , 0.5 );
    }
    D_true ~ normal( mu , sigma );
    D_obs ~ normal( D_true , D_sd );
    M_true ~ normal( aM + bAM * A , tau );
    M_obs ~ normal( M_true , M_sd );
}
