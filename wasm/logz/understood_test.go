package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// The text and the JSON of a run describe the model of a file, with the parameters in use; they do not describe
// built-in models.
func TestModelDescription(t *testing.T) {
	for _, c := range []struct{ name, text, set, want string }{
		{"a.csv", "id,x,label\n1,0.3,0\n2,-0.2,1\n", "kernel=ou", "column id left out, as it names or numbers the rows; " +
			"kernel ou, amplitude 1, length 0.5; probit link"},
		{"a.csv", "herd,y\n1,1\n1,0\n2,0\n", "",
			"3 data in 2 groups, 0 covariates and an intercept; groups by herd, outcome y"},
		{"a.csv", "t,ret\n0,0.01\n1,-0.02\n2,0.003\n", "",
			"log Z is that of percent, for fractions it is 13.815511 higher; prior of Kim"},
		{"a.csv", "t,ret\n0,0.01\n1,-0.02\n2,0.003\n", "unit=percent", "log Z is in percent; prior of Kim"},
		{"a.json", `{"kind":"ising","L1":2,"L2":3,"periodic":false}`, "beta=0.2",
			"2 x 3 spins, open boundaries; J = 1, beta = 0.2"},
		{"a.json", `{"kind":"linreg","X":[[1],[2]],"y":[0.5,1],"s2":0.5,"t2":4}`, "", "2 rows, 1 coefficients"},
		{"a.json", `{"kind":"betabinom","a":2,"b":3,"k":17,"n":25}`, "",
			"17 successes in 25 trials, in any order; prior Beta(2, 3)"},
		{"a.json", `{"kind":"nig","y":[1,2.5],"m0":0,"k0":0.5,"a0":2,"b0":2}`, "",
			"2 data, mean 1.75; prior 1/s2 ~ Gamma(2, rate 2)"},
		{"a.json", `{"kind":"lgssm","y":[0.5,-1.2],"phi":0.9}`, "", "2 data; phi = 0.9"},
		{"a.json", `{"kind":"gmm","d":1,"base_sd":3,"logC":2,"weights":[1],"means":[[1]],"sds":[1]}`, "", "base N(0, 3^2 I)"},
		{"a.json", `{"kind":"bmm","weights":[3,1],"probabilities":[[0.9,0.2],[0.1,0.6]]}`, "",
			"2 components of 2 independent units"},
		{"a.json", `{"kind":"rbm","W":[[1]],"c_visible":[0],"b_hidden":[0]}`, "",
			"1 visible and 1 hidden units; weights W from 1"},
		{"a.json", `{"kind":"rbm","W":[[1]],"c_visible":[0],"b_hidden":[0],"momentum":0.5,"comment":"mine"}`, "",
			"no base rates (p1); fields that are not read: momentum"},
	} {
		path := write(t, c.name, []byte(c.text))
		args := []string{"run", "-model", path, "-method", "is", "-set", "particles=20"}
		if c.set != "" {
			args = append(args, "-set", c.set)
		}
		if out := mustRun(t, args...); !strings.HasPrefix(out, path+": ") || !strings.Contains(out, c.want) {
			t.Errorf("%s: %s, want %q", c.text, out, c.want)
		}
		var r struct{ Understood string }
		if err := json.Unmarshal([]byte(mustRun(t, append(args, "-json")...)), &r); err != nil ||
			!strings.Contains(r.Understood, c.want) {
			t.Errorf("%s: %+v, %v, want %q", c.text, r, err, c.want)
		}
	}
	if out := mustRun(t, "run", "-model", "sv-60", "-method", "is", "-set", "particles=20", "-json"); strings.Contains(out,
		"understood") {
		t.Errorf("a built-in model: %s", out)
	}
}
