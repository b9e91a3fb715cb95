// Command kubernetes decodes manifests strictly into the types of Kubernetes' own API: a field that these have not, or
// a value of another type, is an error. It prints the Jobs as JSON. It is a module of its own, since these types are
// too large to be among ours; TestClusterSchema runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, file := range os.Args[1:] {
		var job batchv1.Job
		b, err := os.ReadFile(file)
		if err == nil {
			err = yaml.UnmarshalStrict(b, &job)
		}
		if err == nil {
			err = out.Encode(job)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(1)
		}
	}
}
