//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// cluster is a Slurm cluster of this computer alone, in a folder of its own.
type cluster struct {
	t   *testing.T
	dir string
	env []string
	ctx context.Context // ends where something hangs, or a server ends by itself
	end context.CancelFunc
}

// newCluster starts munged, slurmctld and slurmd, and stops them when the test is over.
func newCluster(t *testing.T) *cluster {
	tier.Release(t)
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no Slurm here: %v (Debian: apt-get install slurm-wlm munge)", err)
		}
	}
	dir, err := os.MkdirTemp("", "slurm") // sockets have short names
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(stop)
	c := &cluster{t, dir, os.Environ(), ctx, stop}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"state", "spool", "bin", "work"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}

	// The command is this program; parts take a second more, so that some are under way whenever one looks. A job that
	// was requeued may start at once, not after two minutes (cred_expire).
	wrapper := "#!/bin/sh\n[ \"$1\" != part ] || sleep 1\nLOGZ_COMMAND=1 exec " + os.Args[0] + ` "$@"` + "\n"
	c.write("bin/logz", wrapper, 0o755)
	key := make([]byte, 128)
	rand.New(rand.NewSource(time.Now().UnixNano())).Read(key)
	c.write("key", string(key), 0o600)
	c.write("slurm.conf", fmt.Sprintf(`ClusterName=t
SlurmctldHost=%[2]s(127.0.0.1)
SlurmctldPort=%[5]d
SlurmdPort=%[6]d
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge,cred_expire=5
CredType=cred/munge
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobRequeue=1
NodeName=%[2]s NodeAddr=127.0.0.1 CPUs=%[4]d State=UNKNOWN
PartitionName=p Nodes=%[2]s Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
`, dir, host, me.Username, runtime.NumCPU(), freePort(t), freePort(t)), 0o644)
	c.env = append(c.env, "SLURM_CONF="+dir+"/slurm.conf", "LOGZ_COMMAND=1", "PATH="+dir+"/bin:"+os.Getenv("PATH"))
	c.start("munged", "-F", "-S", dir+"/munge", "--key-file="+dir+"/key", "--pid-file="+dir+"/munged.pid",
		"--seed-file="+dir+"/seed", "--log-file="+dir+"/munged.log")
	c.until("munged", func() bool { _, err := os.Stat(dir + "/munge"); return err == nil })
	c.start("slurmctld", "-D")
	c.start("slurmd", "-D")
	c.until("an idle node", func() bool { return strings.Contains(c.try("sinfo -h -o %T"), "idle") })
	return c
}

// freePort returns a port that is not in use.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), mode); err != nil {
		c.t.Fatal(err)
	}
}

// start runs a server until the test is over.
func (c *cluster) start(name string, args ...string) {
	c.t.Helper()
	p := exec.Command(name, args...)
	p.Env = c.env
	log, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err == nil {
		p.Stdout, p.Stderr = log, log
		err = p.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	over := make(chan bool)
	go func() {
		p.Wait()
		c.end()
		close(over)
	}()
	c.t.Cleanup(func() {
		p.Process.Signal(os.Interrupt)
		select {
		case <-over:
		case <-time.After(10 * time.Second):
			p.Process.Kill()
			<-over
		}
		log.Close()
		if c.t.Failed() {
			b, _ := os.ReadFile(log.Name())
			c.t.Logf("%s:\n%s", name, b[max(0, len(b)-2000):])
		}
	})
}

// try runs a shell command in the folder of the jobs and returns its output.
func (c *cluster) try(line string) string {
	p := exec.CommandContext(c.ctx, "sh", "-c", line)
	p.Dir, p.Env = filepath.Join(c.dir, "work"), c.env
	out, _ := p.CombinedOutput()
	return string(out)
}

// until waits until the condition holds.
func (c *cluster) until(what string, so func() bool) {
	c.t.Helper()
	for !so() {
		if c.ctx.Err() != nil {
			c.t.Fatalf("%s did not come in time, or Slurm has ended", what)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// empty waits until there are no jobs.
func (c *cluster) empty() {
	c.t.Helper()
	c.until("the end of all jobs", func() bool { return strings.TrimSpace(c.try("squeue -h -r")) == "" })
}

// The script of the documentation on a real Slurm: three of 20 tasks are cancelled at random times and requeued, and
// one file is cut short. join names the part, and the command that it prints computes it.
func TestSlurm(t *testing.T) {
	c := newCluster(t)
	const experiment = "-model rbm-pcd-100 -method ais -set temperatures=100 -replicates 40"
	_, whole, _ := run(append([]string{"run"}, strings.Fields(experiment)...)...)
	want := hashLine.FindString(whole)
	c.write("work/slurm.sh", script(t, "slurm.sh", "--cpus-per-task=2", "--cpus-per-task=1",
		"-model rbm-pcd-500 -method ais -replicates 40", experiment), 0o755)
	begun := time.Now()
	said := c.try("sh slurm.sh")
	var join int
	if _, err := fmt.Sscanf(said, "Submitted batch job %d", &join); err != nil {
		t.Fatalf("sh slurm.sh: %s", said)
	}
	array := join - 1

	// Tasks that run are requeued, none twice.
	requeued := map[string]bool{}
	running := regexp.MustCompile(`(?m)^(\d+) RUNNING$`)
	for len(requeued) < 3 {
		time.Sleep(time.Duration(rand.Intn(1500)) * time.Millisecond)
		for _, m := range running.FindAllStringSubmatch(c.try(fmt.Sprintf("squeue -h -r -j %d -o '%%K %%T'", array)), -1) {
			if !requeued[m[1]] {
				if says := c.try(fmt.Sprintf("scontrol requeue %d_%s", array, m[1])); says != "" {
					t.Logf("requeue %s: %s", m[1], says)
					continue
				}
				requeued[m[1]] = true
				break
			}
		}
		if c.ctx.Err() != nil || c.try(fmt.Sprintf("squeue -h -r -j %d", array)) == "" {
			t.Fatalf("only %v were requeued", requeued)
		}
	}

	// A part that is complete is cut short while others run.
	complete := regexp.MustCompile(`part (\d+)/20 is in (\S+); this part is complete`)
	var done []string
	c.until("a part that is complete", func() bool {
		done = complete.FindStringSubmatch(c.try("cat slurm-*.out"))
		return done != nil
	})
	name := filepath.Join(c.dir, "work", done[2])
	st, err := os.Stat(name)
	if err == nil {
		err = os.Truncate(name, st.Size()*2/3)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.empty()
	if says := c.try("cat slurm-*.out"); !strings.Contains(says, "part 20 of 20: SLURM_ARRAY_TASK_ID is 20") {
		t.Errorf("the last task says\n%s", says)
	}
	result := c.try("cat result.txt")
	_, line, ok := strings.Cut(result, "part "+done[1]+"/20 lacks replicates ")
	_, line, _ = strings.Cut(line, "\nthis line computes them:\n")
	line, _, _ = strings.Cut(line, "\nlogz: ")
	if !ok || !strings.HasPrefix(line, "sbatch --array="+done[1]+" --wrap ") {
		t.Fatalf("the join says:\n%s\nthe tasks:\n%s", result, c.try("tail slurm-*.out"))
	}
	t.Logf("requeued %v, cut %s; after %v: %s", requeued, done[1], time.Since(begun), line)
	if says := c.try(line); !strings.Contains(says, "Submitted batch job") {
		t.Fatalf("%s: %s", line, says)
	}
	c.empty()
	if got := hashLine.FindString(c.try("logz join parts")); got != want || want == "" {
		t.Errorf("joined %q, run %q:\n%s", got, want, c.try("logz join parts; tail slurm-*.out"))
	}
	t.Logf("all after %v", time.Since(begun))
}

// The script for experiments on a real Slurm: the joined points of the parts equal the points of one run.
func TestSlurmExperiment(t *testing.T) {
	c := newCluster(t)
	one := t.TempDir()
	timed(t, "experiment", "rts-fig1", "-out", one)
	c.write("work/figure.sh", script(t, "slurm-experiment.sh", "--cpus-per-task=2", "--cpus-per-task=1", "n=10", "n=3",
		"arm-fig2 -full -out arm-fig2", "rts-fig1 -out figure"), 0o755)
	if says := c.try("sh figure.sh"); !strings.HasPrefix(says, "Submitted batch job ") {
		t.Fatalf("sh figure.sh: %s", says)
	}
	c.empty()
	want := tableRows(t, filepath.Join(one, "rts-fig1.csv"))
	got := tableRows(t, filepath.Join(c.dir, "work/figure/rts-fig1.csv"))
	if !slices.Equal(want, got) {
		t.Errorf("rows %q, of one run %q:\n%s", got, want, c.try("tail slurm-*.out"))
	}
}
