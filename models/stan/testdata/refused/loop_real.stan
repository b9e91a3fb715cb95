// error 6:15 the bounds of a loop are ints
parameters {
  real a;
}
model {
  for (i in 1:2.5)
    target += -square(a);
}
