// error 6:3 a loop of 1000000000 turns is beyond the limit
parameters {
  real a;
}
model {
  for (i in 1:1000000000)
    target += -square(a);
}
