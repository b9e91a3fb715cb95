// error 7:5 an assignment is written =, in old programs <-
parameters {
  real a;
}
model {
  real b;
  b <- a;
}
