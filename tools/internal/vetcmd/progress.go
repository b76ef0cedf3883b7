// SPDX-License-Identifier: BSD-3-Clause

package vetcmd

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spare-go/spare/tools/internal/plain"
)

// A progress tells a person at a terminal that work goes on.
type progress struct {
	w     io.Writer // nil: silent
	start time.Time
	stop  chan struct{}
	done  sync.WaitGroup

	mu       sync.Mutex
	packages int
}

// startProgress writes to w once a second until end, if w is a terminal.
func startProgress(w io.Writer) *progress {
	p := &progress{start: time.Now(), stop: make(chan struct{})}
	if !plain.IsTerminal(w) {
		return p
	}
	p.w = plain.Raw(w)
	p.done.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				fmt.Fprint(p.w, "\r\x1b[K")
				return
			case <-tick.C:
				p.mu.Lock()
				n := p.packages
				p.mu.Unlock()
				fmt.Fprintf(p.w, "\r\x1b[Kspare vet: %d packages done, %.0fs", n, time.Since(p.start).Seconds())
			}
		}
	})
	return p
}

// step counts one package.
func (p *progress) step() {
	p.mu.Lock()
	p.packages++
	p.mu.Unlock()
}

// end clears the line. Nothing is written after it returns.
func (p *progress) end() {
	close(p.stop)
	p.done.Wait()
}
