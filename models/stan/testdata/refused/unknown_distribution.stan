// error 6:7 no distribution is called norml; normal is near
parameters {
  real a;
}
model {
  a ~ norml(0, 1);
}
