// SPDX-License-Identifier: BSD-3-Clause

package pooltest

import (
	"runtime"
	"sync"
	"time"
)

// Storm calls f while the collector runs over and over and GOMAXPROCS changes all
// the time, between 1 and twice what it was. Whatever in f relies on a pool to keep or
// to lose a value, on a P to stay, or on a finalizer to wait, fails sooner. Storm
// returns when f does, with GOMAXPROCS as it was; if f panics or ends its
// goroutine, as t.FailNow does, the storm ends as well.
func Storm(t TB, f func()) {
	t.Helper()
	procs := runtime.GOMAXPROCS(0)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	defer runtime.GOMAXPROCS(procs)
	defer wg.Wait()
	defer close(stop)
	stopped := func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	wg.Go(func() {
		for !stopped() {
			runtime.GC()
			runtime.Gosched()
		}
	})
	wg.Go(func() {
		for n := 1; !stopped(); n++ {
			runtime.GOMAXPROCS(1 + n%(2*procs))
			time.Sleep(100 * time.Microsecond)
		}
	})
	f()
}
