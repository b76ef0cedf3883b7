// SPDX-License-Identifier: BSD-3-Clause

// Command overhead measures the process CPU time of some uses of pools.
package main

import (
	"encoding/json"
	"os"
	"syscall"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
)

type value struct {
	next *value
	n    [8]int
}

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func main() {
	var values spare.Pool[value]
	var bytes spare.Slices[byte]
	payload := make([]byte, 1000)
	record := map[string]any{"id": 1, "name": "a name", "tags": []string{"a", "b", "c"}}
	var results []result
	measure := func(name string, n int, f func()) {
		for range n / 10 {
			f()
		}
		start := cpu()
		for range n {
			f()
		}
		results = append(results, result{name, (cpu() - start) / float64(n)})
	}
	measure("Pool Get+Put", 100_000, func() {
		x := values.Get()
		x.n[0]++
		values.Put(x)
	})
	measure("Slices Get+append 1000 B+Put", 50_000, func() {
		bytes.Put(append(bytes.Get(1000), payload...))
	})
	measure("buffer and JSON", 20_000, func() {
		b := buffer.Get()
		json.NewEncoder(b).Encode(record)
		b.Release()
	})
	json.NewEncoder(os.Stdout).Encode(results)
}

type result struct {
	Name string
	CPU  float64
}
