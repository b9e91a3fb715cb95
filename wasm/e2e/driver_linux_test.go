package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A wire sends W3C WebDriver commands to a browser. Commands have the names of the standard, which Marionette also
// uses.
type wire interface {
	command(name string, params any) (json.RawMessage, error)
	close()
}

// marionette speaks Firefox's native remote protocol, which geckodriver uses: each message is its length, a colon and
// JSON.
type marionette struct {
	conn net.Conn
	in   *bufio.Reader
	sent int
}

func (m *marionette) command(name string, params any) (json.RawMessage, error) {
	m.sent++
	data, err := json.Marshal([]any{0, m.sent, "WebDriver:" + name, params})
	if err != nil {
		return nil, err
	}
	m.conn.SetDeadline(time.Now().Add(guard))
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(data), data); err != nil {
		return nil, err
	}
	if data, err = m.read(); err != nil {
		return nil, err
	}
	var problem *struct{ Error, Message string }
	var value json.RawMessage
	if err := json.Unmarshal(data, &[]any{new(int), new(int), &problem, &value}); err != nil {
		return nil, fmt.Errorf("%s: %w", data, err)
	}
	if problem != nil {
		return nil, fmt.Errorf("%s: %s", problem.Error, problem.Message)
	}
	return value, nil
}

func (m *marionette) read() ([]byte, error) {
	head, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(head, ":"))
	if err != nil {
		return nil, err
	}
	data := make([]byte, n)
	_, err = io.ReadFull(m.in, data)
	return data, err
}

func (m *marionette) close() { m.conn.Close() }

// webdriver speaks the HTTP protocol of the standard.
type webdriver struct{ url string } // the address of the driver, then of the session

func (w *webdriver) command(name string, params any) (json.RawMessage, error) {
	method, path := http.MethodPost, map[string]string{
		"Navigate": "/url", "ExecuteScript": "/execute/sync", "SetWindowRect": "/window/rect",
		"TakeScreenshot": "/screenshot", "NewSession": "/session", "DeleteSession": "",
	}[name]
	var body io.Reader
	switch name {
	case "TakeScreenshot":
		method = http.MethodGet
	case "DeleteSession":
		method = http.MethodDelete
	default:
		data, err := json.Marshal(params)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	request, err := http.NewRequest(method, w.url+path, body)
	if err != nil {
		return nil, err
	}
	answer, err := (&http.Client{Timeout: guard}).Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, data)
	}
	return data, err
}

func (w *webdriver) close() { w.command("DeleteSession", nil) }

// process is a running program with its own process group and home directory.
type process struct {
	cmd  *exec.Cmd
	home string
	done chan struct{}
}

// launch starts a program. Its output goes to a log file in its home directory.
func launch(home string, env []string, program string, args ...string) (*process, error) {
	log, err := os.Create(filepath.Join(home, filepath.Base(program)+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME="+home,
		"XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home,
		"NO_AT_BRIDGE=1", "LIBGL_ALWAYS_SOFTWARE=1", "LANG=en_US.UTF-8", "LANGUAGE=en")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd, home, make(chan struct{})}
	go func() {
		cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// lastOutput returns the last 1,500 bytes of the program's output.
func (p *process) lastOutput() string {
	data, _ := os.ReadFile(filepath.Join(p.home, filepath.Base(p.cmd.Path)+".log"))
	return string(data[max(0, len(data)-1500):])
}

// await calls found until it returns no error, the program ends, or the time is over.
func (p *process) await(check func() error) error {
	for start := quietTime(); ; time.Sleep(50 * time.Millisecond) {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended during its start: %s", p.cmd.Path, p.lastOutput())
		default:
		}
		if quietTime()-start > guard {
			return fmt.Errorf("%s after %v: %w: %s", p.cmd.Path, guard, err, p.lastOutput())
		}
	}
}

// stop kills the program and its child processes, and waits until they have ended.
func (p *process) stop() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.done
	for range 100 {
		if errors.Is(syscall.Kill(-p.cmd.Process.Pid, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// An engine is a browser other than Chromium, with its Debian package and the names of its program.
type engine struct {
	name, apt string
	programs  []string
	start     func(program, home, display string) (*process, wire, error)
}

var engines = []engine{
	{"Firefox", "firefox-esr", []string{"firefox-esr", "firefox"}, startFirefox},
	{"WebKitGTK", "webkit2gtk-driver", []string{"WebKitWebDriver"}, startWebKit},
}

// prefs disables prompts, telemetry and updates in a new Firefox profile.
const prefs = `user_pref("marionette.port", 0);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("ui.systemUsesDarkTheme", 0);
`

func startFirefox(program, home, display string) (*process, wire, error) {
	if err := os.WriteFile(filepath.Join(home, "user.js"), []byte(prefs), 0o666); err != nil {
		return nil, nil, err
	}
	// Headless, Firefox still needs a display for WebGL.
	p, err := launch(home, []string{"DISPLAY=" + display}, program, "--headless", "--marionette", "--no-remote",
		"--profile", home)
	if err != nil {
		return nil, nil, err
	}
	m := &marionette{}
	err = p.await(func() error {
		port, err := os.ReadFile(filepath.Join(home, "MarionetteActivePort"))
		if err != nil {
			return err
		}
		m.conn, err = net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port))), guard)
		return err
	})
	if err == nil {
		m.conn.SetDeadline(time.Now().Add(guard))
		m.in = bufio.NewReader(m.conn)
		_, err = m.read() // the server's greeting
	}
	if err == nil {
		_, err = m.command("NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}})
	}
	if err != nil {
		p.stop()
		return nil, nil, err
	}
	return p, m, nil
}

func startWebKit(program, home, display string) (*process, wire, error) {
	browsers, _ := filepath.Glob("/usr/lib*/*/webkit2gtk-4.*/MiniBrowser")
	if len(browsers) == 0 {
		return nil, nil, fmt.Errorf("MiniBrowser of WebKitGTK: %w", exec.ErrNotFound)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	p, err := launch(home, []string{"DISPLAY=" + display, "GDK_BACKEND=x11"}, program, "--host=127.0.0.1", "--port="+port)
	if err != nil {
		return nil, nil, err
	}
	w := &webdriver{"http://" + address}
	err = p.await(func() error {
		answer, err := (&http.Client{Timeout: guard}).Get(w.url + "/status")
		if err == nil {
			answer.Body.Close()
		}
		return err
	})
	if err == nil {
		var data json.RawMessage
		options := map[string]any{"binary": browsers[len(browsers)-1], "args": []string{"--automation"}}
		always := map[string]any{"webkitgtk:browserOptions": options}
		data, err = w.command("NewSession",
			map[string]any{"capabilities": map[string]any{"alwaysMatch": always}})
		var session struct{ Value struct{ SessionID string } }
		if err == nil {
			err = json.Unmarshal(data, &session)
		}
		w.url += "/session/" + session.Value.SessionID
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, p.lastOutput())
		p.stop()
		return nil, nil, err
	}
	return p, w, nil
}

// display starts a virtual X server (Xvfb) and returns the name of its display.
func display(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("NOT TESTED: no Xvfb (Debian: apt-get install xvfb)")
	}
	home := t.TempDir()
	p, err := launch(home, nil, program, "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	number := ""
	err = p.await(func() error {
		for line := range strings.Lines(p.lastOutput()) { // a warning may come before the number
			if n := strings.TrimSuffix(line, "\n"); n != line && n != "" && strings.Trim(n, "0123456789") == "" {
				number = n
				return nil
			}
		}
		return errors.New("no display")
	})
	if err != nil {
		t.Fatal(err)
	}
	return ":" + number
}

// remote is a page in a browser other than Chromium.
type remote struct {
	t *testing.T
	wire
}

// startBrowser starts an engine, and retries once. It skips the test if the engine is not installed and fails the test
// if it does not start.
func startBrowser(t *testing.T, e engine, display string) *remote {
	t.Helper()
	for _, name := range e.programs {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		for attempt := 1; ; attempt++ {
			home, err := os.MkdirTemp("", "logz-e2e")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(home) })
			p, w, err := e.start(program, home, display)
			if err == nil {
				t.Cleanup(func() {
					w.close()
					p.stop()
				})
				return &remote{t, w}
			}
			if errors.Is(err, exec.ErrNotFound) {
				t.Skipf("NOT TESTED: %v", err)
			}
			if attempt == 2 {
				t.Fatalf("%s does not start: %v", e.name, err)
			}
			t.Logf("%s did not start, once more: %v", e.name, err)
		}
	}
	t.Skipf("NOT TESTED: no %s (Debian: apt-get install %s)", e.name, e.apt)
	return nil
}

// do sends a command and fails the test if the command fails.
func (r *remote) do(name string, params any) json.RawMessage {
	r.t.Helper()
	value, err := r.command(name, params)
	if err != nil {
		r.t.Fatalf("%s %v: %v", name, params, err)
	}
	return value
}

// evaluateInto evaluates a JavaScript expression in the page and stores its value in v.
func (r *remote) evaluateInto(expression string, v any) {
	r.t.Helper()
	if err := r.evaluate(expression, v); err != nil {
		r.t.Fatalf("%s: %v", expression, err)
	}
}

func (r *remote) evaluate(expression string, v any) error {
	data, err := r.command("ExecuteScript", map[string]any{"script": "return " + expression, "args": []any{}})
	if err == nil {
		err = json.Unmarshal(data, &struct{ Value any }{v})
	}
	return err
}
