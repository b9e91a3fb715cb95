package main

import (
	"strings"

	"logzlab/estimators/training"
)

// overview is what `logz` and `logz help` print. It fits a terminal of 80 columns and 24 lines (TestHelp).
const overview = `logz estimates log Z, a normalising constant, and reports how far to trust it:

  logz run -model rbm-pcd-20

Commands:
  run         estimate log Z of a model
  exact       exact log Z: closed form, quadrature, elimination or enumeration
  bounds      an interval that certainly contains log Z of a graph
  compare     log Bayes factor of two models of the same data
  prior       log Z of the priors of a Stan program, without its likelihood
  read        log Z from samples of other programs
  train       train an RBM and follow its log Z
  tape        compile a Stan program and its data to one file
  link        print the link of an experiment
  list        list models, methods and parameters
  experiment  reproduce a figure of a paper
  host, work  share a run among computers that join a room
  part, join  share a run among jobs of a cluster
  mark        mark the result codes of an assignment
  check       run the golden links and compare every result
  version     print the version

logz help COMMAND describes a command; logz help models the files of -model.
`

// helpTexts has the texts of `logz help NAME`: usage, description, flags and an example.
var helpTexts = map[string]string{
	"run": `logz run -model M [-method X,...] [FLAG...]

Estimates log Z of model M by each method X. Prints log Z with its error bar,
bounds, the exact value if known, a verdict, and a link that repeats the run.

` + runFlags + `  -workers W       threads, by default one per core; no result depends on it
  -json            print JSON (site/docs/json.md)
  -draws FILE.csv  write 1000 draws from the posterior in the format of CmdStan
  -ukn FILE.npz    write the samples of rts, ts, ti, bar, mbar or stepping-stone
                   at all temperatures in the format of pymbar

Example: logz run -model rbm-pcd-20 -method ais,rts -seed 7
`,

	"exact": `logz exact -model M [-set KEY=VALUE]... [-workers W] [-json]

Prints the exact log Z of a model that has a closed form or can be summed by
elimination, enumeration or quadrature. An integral is printed with its
uncertainty.

  -data FILE      also print the mean log-likelihood of these rows (RBM), or
                  the data of a Stan program
  -evidence FILE  observed variables of a .uai graph (.evid)

Example: logz exact -model ising16
`,

	"bounds": `logz bounds LINK | -model M [-set KEY=VALUE]... [-json]

Prints an interval that certainly contains log Z of a graph, and prints it again
whenever it becomes narrower, until both ends are equal, memory is used up, or
you press Ctrl-C. LINK repeats an experiment of the page.

  -evidence FILE  observed variables of a .uai graph (.evid)

Example: logz bounds -model ising16
`,

	"compare": `logz compare A B [-method X] [FLAG...]

Runs two experiments and prints log Z of A minus log Z of B, with its error bar.
If both are evidences of the same data, this is the log Bayes factor. A and B
are models or links.

` + runFlags + `  -workers W       threads, by default one per core; no result depends on it
  -json            print JSON

Example: logz compare linreg-line linreg-level -method aisel
`,

	"prior": `logz prior FILE.stan [-data FILE] [-method X] [FLAG...]

Estimates log Z of the priors of a Stan program, without its likelihood. It is 0
if the priors are normalised; otherwise log Z of the program is off by this
number. Also lists parameters that have no prior.

The flags are those of logz help run.

Example: logz prior schools.stan -data schools.json
`,

	"read": `logz read FILE... [-method X,...] [FLAG...]

Estimates log Z from samples that another program has written: RevBayes,
MrBayes, BEAST, GROMACS, alchemlyb, pymbar, nested sampling, or, with -model,
draws of Stan. Prints the estimate of each method with an error bar and a
verdict.

  -model FILE.stan  the program whose posterior the draws are from
  -data FILE        the data of that program
  -method X,...     mbar, bar, ti, ss, ss-down, sums, nested, bridge or
                    bridge-warp3; without it all that the samples allow
  -set KEY=VALUE    independent=yes, burn_in=PERCENT, rule=RULE, alpha=ALPHA
  -strict           exit with status 3 for caution and 4 for stop
  -json             print JSON

Example: logz read run.pp -strict
`,

	"train": `logz train -data FILE|bars|digits -out FILE.npz [FLAG...]

Trains an RBM on rows of 0 and 1 and follows log Z while it trains. When it is
interrupted, it keeps its state in FILE.npz.part, and the same command continues
from there. See site/docs/training.md.

  -test FILE       rows for validation
  -threshold X     read a number as 1 if it is X or more
  -bits B          round the weights to B bits after the binary point
  -name NAME       the name of the model in its file
  -seed N          seed of the random numbers, by default 1
  -json            print JSON

` + trainFlags() + `
Example: logz train -data bars -out bars.npz -hidden 8
`,

	"tape": `logz tape -model FILE.stan [-data FILE] -out FILE.tape [-json]

Compiles a Stan program and its data (.json or .csv) to one file, which -model
and the page read without a compiler.

Example: logz tape -model schools.stan -data schools.json -out schools.tape
`,

	"link": `logz link -model M [-method X,...] [FLAG...]

Prints the canonical link of an experiment: the page opens it, and
logz run -link runs it.

` + runFlags + `  -json            print JSON

Example: logz link -model mixture2 -method ais -set temperatures=50
`,

	"list": `logz list [-json]

Lists the built-in models, the methods, and the parameters of both with their
defaults and ranges.

Example: logz list
`,

	"experiment": `logz experiment [NAME] [FLAG...]

Without a name, lists the experiments. With a name, makes a figure of a paper
again: a table, a chart and a report.

  -out DIR         folder of the files, by default NAME
  -full            the sizes of the paper, instead of smaller ones
  -continue        continue from the points that DIR has
  -part K/N        compute every Nth point, from the Kth; -continue joins parts
  -part array      take K/N from the scheduler of a cluster, as logz help part
  -of N, -from F   with -part array, as in logz help part
  -page            also write a page for the site
  -model, -data    the file of an experiment that runs a file of your own
  -workers W       threads, by default one per core

Example: logz experiment arm-fig2 -out figures
`,

	"host": `logz host LINK | -model M -method X -replicates R [FLAG...]

Opens a room and runs an experiment on the computers that join it (logz work,
or the page). Each computes whole replicates; the result is that of logz run.
After a crash or Ctrl-C the same command continues.

  -addr URL        open the room on this server
  -addr HOST:PORT  run a server at this address, by default 127.0.0.1:8080
  -name NAME       a further name of that server; may be repeated
  -workers W       also compute replicates here, in W threads
  -give            send a model file of your own to the computers that join
  -verify SHARE    compute this share of the replicates here as well, 0.05
  -file FILE       where the address of the room is kept, by default logz-*.room
  -json            print JSON

The other flags are those of logz help run.

Example: logz host -model ising16 -method rts -replicates 40 -addr 0.0.0.0:8080
`,

	"work": `logz work URL [-workers W] [-model FILE [-data FILE]]

Joins a room and computes replicates until the room is closed. logz host prints
the URL, and the page shows it. -model gives the file of an experiment if its
host does not send it.

Example: logz work 'http://192.168.1.5:8080/#room=ABCDEFGH'
`,

	"part": `logz part [K/N] LINK|-model M -method X -replicates R -out FILE|FOLDER/
          [FLAG...]

Computes every Nth replicate of an experiment, from the Kth, and writes them to
a file; logz join puts the parts together. If interrupted, the same command
continues. A task of an array of Slurm, Kubernetes, AWS Batch, Grid Engine, LSF
or PBS takes K and N from its scheduler.

  -out FILE     the file of the part
  -out FOLDER/  a folder, in which the file gets a name of its own
  -of N         the number of parts, if the scheduler does not report it
  -from F       the number of the task that computes part 1
  -workers W    threads, by default one per core

The other flags are those of logz help run.

Example: logz part 2/8 -model ising16 -method rts -replicates 40 -out parts/
`,

	"join": `logz join FOLDER|FILE... [-model FILE [-data FILE]] [-workers W] [-json]

Puts the parts of an experiment together and prints the result, as logz run
does. If replicates are missing, it prints a command that computes them.

Example: logz join parts/
`,

	"mark": `logz mark CODES.csv [-goal GOAL] [-link LINK] [-all | -sample N] [FLAG...]

Marks the result codes that students have handed in for an assignment. CODES.csv
has a header and a column of codes; all other columns are kept. Prints a CSV
table with a grade (100 or 0), feedback, and whether the code was computed again
with the same result. The status is 1 if a code does not reproduce.

  -goal GOAL     what every method must reach: se:0.1 (standard error in nats),
                 verdict:trust, or both, separated by commas
  -link LINK     the link of the assignment: its view.goal is the goal, and its
                 model is the only one accepted
  -sample N      compute N codes again, chosen by lot (10); a goal with a
                 verdict computes all of them
  -all           compute all codes again
  -seconds S     longest time of one computation (60)
  -model FILE    model file of the assignment; also -data, -evidence
  -out FILE.csv  write the table to a file
  -workers W     threads, by default one per core

Example: logz mark codes.csv -goal se:0.1,verdict:trust -out grades.csv
`,

	"check": `logz check [-workers W] [-json]

Runs the golden links and compares every result with the expected one, bit for
bit. The status is 1 if any differs.

Example: logz check
`,

	"version": `logz version [-json]

Prints the version of the program, its build, and the version of Go. Computers
in one room and parts of one run need the same build.

Example: logz version
`,

	"models": `The model of -model M is one of

  a name          a built-in model (logz list)
  .json           any kind of model (site/docs/files.md)
  .npz .pt .mat .safetensors, or W.npy,a.npy,b.npy
                  an RBM
  .uai .uai.gz    a graph; -evidence FILE.evid gives observed variables
  .csv            a graph, as couplings i,j,J, or a table of data
  .stan           a Stan program; -data FILE.json or .csv gives its data
  .tape           a Stan program with its data, compiled by logz tape

With an RBM of your own, -data FILE (.npy, .npz, .csv, idx, .gz) gives data
rows, for the base rates and for the method raise.

Example: logz run -model net.uai.gz -evidence net.uai.evid
`,
}

// runFlags describes the flags of an experiment.
const runFlags = `  -model M         a built-in name (logz list) or a file (logz help models)
  -data FILE       data rows for an RBM of your own, or data of a Stan program
  -evidence FILE   observed variables of a .uai graph (.evid)
  -method X,...    methods (logz list); by default auto, which aims at 0.1 nat
  -set KEY=VALUE   a parameter, as chains=50 or ais.chains=50; may be repeated
  -seed N          seed of the random numbers, by default 1
  -replicates R    repeat each method R times
  -target SE       repeat each method until its error bar is SE nats or less
  -limit SWEEPS    most sweeps for -target, by default 10,000,000
  -link LINK       the experiment of a link, instead of the flags above
`

// trainFlags lists the parameters of training, with their defaults, in lines of at most 80 characters.
func trainFlags() string {
	var b strings.Builder
	line := "Parameters, with their defaults:"
	for _, p := range training.Params {
		item := " -" + p.Name + " " + p.Default
		if len(line)+len(item) > 80 {
			b.WriteString(line + "\n")
			line = " "
		}
		line += item
	}
	return b.String() + line + "\n"
}
