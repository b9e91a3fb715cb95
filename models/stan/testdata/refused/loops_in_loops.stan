// error 6:3 loops of 1e12 turns together are beyond the limit
parameters {
  real a;
}
model {
  for (i in 1:1000000)
    for (j in 1:1000000)
      target += -square(a);
}
