package bound

import "syscall/js"

// spent returns the CPU time of this process under Node in seconds.
func spent() float64 {
	u := js.Global().Get("process").Call("cpuUsage")
	return (u.Get("user").Float() + u.Get("system").Float()) / 1e6
}
