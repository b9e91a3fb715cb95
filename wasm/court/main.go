package main

import (
	"os"

	"logzlab/core/samples"
	"logzlab/estimators/court"
)

func main() {
	o, _ := court.ParseOptions(os.Args[2:])
	r, err := court.Read([]samples.File{{Name: "a"}}, nil, o, nil)
	if err != nil {
		panic(err)
	}
	println(court.JSON(r))
}
