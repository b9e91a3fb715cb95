functions{
    vector merge_missing( array[] int miss_indexes , vector x_obs , vector x_miss ) {
        int N = dims(x_obs)[1];
        int N_miss = dims(x_miss)[1];
        vector[N] merged;
        merged = x_obs;
        for ( i in 1:N_miss )
            merged[ miss_indexes[i] ] = x_miss[i];
        return merged;
    }
}
data{
    int N, n_miss;
    vector[N] K, M, B;
    array[n_miss] int B_missidx;
}
parameters{
    vector[n_miss] B_impute;
    real a, bM, bB;
    vector[2] mu_;
    real<lower=0> sigma;
    corr_matrix[2] Rho_BM;
    vector<lower=0>[2] Sigma_BM;
}
model{
    vector[N] mu; vector[N] B_merge;
    sigma ~ exponential( 1 ); bB ~ normal( 0 , 0.5 ); bM ~ normal(0, 0.5); a ~ normal(0, 0.5);
    mu_ ~ normal(0, 0.5);
    Sigma_BM ~ exponential( 1 );
    Rho_BM ~ lkj_corr( 2 );
    B_merge = merge_missing(B_missidx, to_vector(B), B_impute);
    {
      array[N] vector[2] MB;
      for ( i in 1:N ) MB[i] = [ M[i] , B_merge[i] ]';
      MB ~ multi_normal( mu_ , quad_form_diag(Rho_BM , Sigma_BM) );
    }
    for ( i in 1:N ) mu[i] = a + bB * B_merge[i] + bM * M[i];
    K ~ normal( mu , sigma );
}
