// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"github.com/spare-go/spare"
	"time"
)

var c88timers = spare.Pool[time.Timer]{New: func() *time.Timer { return time.NewTimer(time.Hour) }}

// The timer goes back armed, or fired and not drained. Since Go 1.23 Reset
// leaves no stale value in the channel.
func c88wait(ctx context.Context, d time.Duration) error {
	t := c88timers.Get()
	defer c88timers.Put(t)
	t.Reset(d)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return context.DeadlineExceeded
	}
}

func c88() {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for range 100 {
		c88wait(gone, time.Nanosecond)
		time.Sleep(10 * time.Microsecond)
		start := time.Now()
		c88wait(context.Background(), time.Millisecond)
		must(time.Since(start) >= time.Millisecond, "an earlier use fired the timer")
	}
}
