data{
    int N, K;
    array[N] int R;
    vector[N] action, intention, contact;
    array[N] int E;
    vector<lower=0>[7] alpha;
}
parameters{
    ordered[K-1] kappa;
    real bA, bI, bC, bE;
    simplex[7] delta;
}
model{
    vector[N] phi;
    vector[8] delta_j;
    kappa ~ normal( 0 , 1.5 );
    delta ~ dirichlet( alpha );
    delta_j = append_row(0, delta);
    [bA, bI, bC, bE] ~ normal(0, 1);
    for ( i in 1:N ) {
        phi[i] = bE * sum(delta_j[1:E[i]]) + bA * action[i] + bI * intention[i] + bC * contact[i];
        R[i] ~ ordered_logistic( phi[i] , kappa );
    }
}
