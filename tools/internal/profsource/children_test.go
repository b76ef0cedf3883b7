// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	runtimepprof "runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/grafana/pyroscope-go"
	"github.com/spare-go/spare/tools/internal/profsource"
)

// whole does units of work and writes the profile of the process: whole FILE
// UNITS...
func whole(args []string) error {
	for _, arg := range args[1:] {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return err
		}
		work(n)
	}
	f, err := os.Create(args[0])
	if err != nil {
		return err
	}
	return errors.Join(runtimepprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}

// pusher does units of work and pushes after each: pusher URL SERVICE UNITS...
func pusher(args []string) error {
	p, err := pyroscope.Start(pyroscope.Config{
		ApplicationName: args[1],
		ServerAddress:   args[0],
		UploadRate:      time.Hour, // Flush uploads
		// Without the CPU profile, Flush of v1.4.3 waits for its collector for ever.
		ProfileTypes: []pyroscope.ProfileType{pyroscope.ProfileCPU, pyroscope.ProfileAllocObjects, pyroscope.ProfileAllocSpace, pyroscope.ProfileInuseObjects, pyroscope.ProfileInuseSpace},
	})
	if err != nil {
		return err
	}
	for _, arg := range args[2:] {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return err
		}
		work(n)
		p.Flush(true)
	}
	return p.Stop()
}

// service serves the pprof endpoint. It has worked before it starts, and works
// once more after the first snapshot: service BEFORE BETWEEN [ADDRESS].
func service(args []string) error {
	before, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	between, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	work(before)
	var worked atomic.Bool
	var served atomic.Int64 // snapshots
	http.HandleFunc("GET /served", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, served.Load()) })
	http.HandleFunc("GET /debug/pprof/allocs", func(w http.ResponseWriter, r *http.Request) {
		defer served.Add(1)
		if r.FormValue("seconds") != "" {
			if worked.CompareAndSwap(false, true) {
				go func() {
					time.Sleep(300 * time.Millisecond) // within the second that is asked for
					work(between)
				}()
			}
			pprof.Handler("allocs").ServeHTTP(w, r)
			return
		}
		pprof.Handler("allocs").ServeHTTP(w, r)
		if worked.CompareAndSwap(false, true) {
			work(between)
		}
	})
	address := "127.0.0.1:0"
	if len(args) > 2 {
		address = args[2]
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	return http.Serve(l, nil)
}

// mergeFiles merges files, each of them a number of times, and prints how much
// memory that took at most: merge TIMES FILES...
func mergeFiles(args []string) error {
	times, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var paths []string
	for range times {
		paths = append(paths, args[1:]...)
	}
	p, err := profsource.Files(context.Background(), paths...)
	if err != nil {
		return err
	}
	peak, err := highWater()
	if err != nil {
		return err
	}
	var total int64
	for _, s := range p.P.Sample {
		total += s.Value[1]
	}
	fmt.Println(peak, len(p.P.Sample), total)
	return nil
}

// highWater returns the largest amount of memory that this process had, in
// bytes; Linux only.
func highWater() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, errors.New("no VmHWM in /proc/self/status")
}
