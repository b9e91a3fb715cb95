// error 3:14 p does not sum to 1
data {
  simplex[3] p;
}
parameters {
  simplex[3] q;
}
model {
  q ~ dirichlet(p);
}
