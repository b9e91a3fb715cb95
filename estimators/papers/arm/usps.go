package arm

import "logzlab/estimators/papers"

// USPS is Fig2 with the paper's digits, from a model file of the user.
var USPS = &papers.Experiment{
	Name: "arm-usps",
	About: "Gaussian-process classification of 767 threes and fives of USPS: rm and arm against annealing and EP; " +
		"-model takes the file of digits.",
	Figure: "Figure 2 of the ARM paper (Fraccaro, Paquet and Winther)",
	File:   uspsFile,
	Points: uspsPoints, Judge: fig2Judge, Chart: papers.Lines,
	Axes: papers.Axes{Reach: 8},
	Notes: []string{
		"The digits are those of USPS, as many of each as in the paper's training set, 406 threes and 361 fives. Which " +
			"ones they were is not published with the set: a seed draws them from all 1,540, so log Z differs from the " +
			"paper's.",
		"The digits are no part of this lab. From a table with a line for each digit, set, number, digit and its 256 " +
			"pixels, go run ./wasm/tool usps makes the model file that the links ask for.",
		"The order of the data is that of the file, drawn at random once. Amplitude and length are the paper's exp(5.1) " +
			"and exp(4.85), to two decimals.",
		"The paper has a mean of -110.2 and a deviation of 20.9 for RM with R = 100, where ours are -100.7 and 2.4. With " +
			"so good an RM, ARM may have less to gain.",
		"ARM has 4.2 R particles a stage here, the paper reports 1.5 R. At 6 % of our stages the next label surprises so " +
			"much that no number of particles makes the weights even, and all 50 batches are made; how much that is " +
			"depends on the digits and their order.",
		"Findings are from R = 100 particles on, where the paper begins. With fewer ARM is too high: the weights that are " +
			"averaged also decide how many there are.",
		"The paper ran 80 estimates up to R = 100,000 particles and 10,000 temperatures: -full does.",
		"The Riemannian sampler takes 10 s a temperature for 767 data, a month of processor time for the paper's 80 " +
			"estimates, so it is left out. Whitened HMC is not in the paper.",
		"The reference is annealing from EP's Gaussian by elliptical slices. One estimate of annealing is one chain. " +
			"EP's correction has the third and fourth cumulants (Opper, Paquet and Winther).",
	},
	Title: "Threes against fives, as in the paper",
	Lead: "How likely are the labels of 767 handwritten digits under a Gaussian process? Resample-move and its adaptive " +
		"form against annealing and expectation propagation, at the paper's amplitude and length.",
	Alt: "Log Z on the left and its standard deviation on the right against processor time, a line for each method; " +
		"the dotted level is expectation propagation, the solid one its second-order correction, the dashed one the " +
		"reference.",
	Live: [2]string{"v=1&model=gpc-mnist35&method=arm&arm.moves=1&arm.ess=0.9&arm.i_max=50&view.scene=function",
		"Watch 200 digits of MNIST take in their labels"},
}

// uspsFile is the id of the file that `tool usps` makes.
const uspsFile = "file:356317da9129"

var uspsPanel = gpcPanel{name: "767 digits of USPS", model: uspsFile + "&amplitude=164.02&length=127.74", rm: .095,
	arm: .37, white: .05, plain: .36, reference: "&sampler=ess"}

// uspsPoints returns the points of the panel. The small size uses the bundled digits, because tests have no file.
func uspsPoints(size papers.Size) []papers.Point {
	switch size {
	case papers.Small:
		return gpcPanels[1].points(gpcSizes{equalRuns(3, 10, 20), equalRuns(3, 10), equalRuns(3, 5), equalRuns(2, 5), equalRuns(2, 5), noRuns, noRuns,
			10, 20})
	case papers.Full:
		return uspsPanel.points(fullDigits)
	}
	return uspsPanel.points(gpcSizes{
		rm:    runs{[]int{30, 100, 300, 1000}, []int{40, 20, 40, 12}},
		arm:   runs{[]int{10, 30, 100, 300}, []int{60, 30, 50, 10}},
		white: equalRuns(8, 100),
		plain: equalRuns(2, 25), plainQ: equalRuns(12, 25), refChains: 40, refTemps: 500,
	})
}
