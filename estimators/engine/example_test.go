package engine_test

import (
	"context"
	"fmt"
	"log"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
)

// A spec is a whole experiment, of several methods and replicates. The number of workers changes the time but not the
// result.
func ExampleRun() {
	s, err := spec.New("mixture2", []string{"ais", "rts"}, catalog.Names{})
	if err != nil {
		log.Fatal(err)
	}
	for key, value := range map[string]string{"temperatures": "20", "rts.sweeps": "200", "replicates": "3"} {
		if err := s.Put(catalog.Names{}, key, value); err != nil {
			log.Fatal(err)
		}
	}
	model, err := engine.Source{}.Open(s, nil)
	if err != nil {
		log.Fatal(err)
	}
	job, err := engine.NewJob(s, model, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := engine.Run(context.Background(), job, 2, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Link())
	for _, method := range s.Methods {
		for _, r := range job.Status(method).Results {
			fmt.Printf("%s %.3f +- %.3f\n", method, r.LogZ, r.SE)
		}
	}
	// Output:
	// v=1&model=mixture2&method=ais,rts&ais.temperatures=20&rts.sweeps=200&rts.temperatures=20&replicates=3
	// ais 2.952 +- 0.106
	// ais 3.081 +- 0.105
	// ais 2.832 +- 0.124
	// rts 2.973 +- 0.031
	// rts 3.021 +- 0.039
	// rts 2.938 +- 0.037
}
