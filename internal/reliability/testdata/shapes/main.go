// SPDX-License-Identifier: BSD-3-Clause

// Command shapes runs the shapes of bugs that real programs had with pools,
// written with spare's types, one for each file. The argument says which.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/spare-go/spare"
)

var shapes = map[string]func(){
	"c02": c02, "c04": c04, "c06": c06, "c07": c07, "c20": c20, "c22": c22, "c29": c29, "c30": c30, "c31": c31, "c32": c32,
	"c36": c36, "c38": c38, "c41": c41, "c47": c47, "c51": c51, "c58": c58, "c59": c59, "c60": c60, "c66": c66, "c70": c70,
	"c73": c73, "c77": c77, "c82": c82, "c87": c87, "c88": c88, "c89": c89, "c90": c90, "c92": c92, "c93": c93,

	"c30resets": c30resets,
}

func main() {
	runtime.GOMAXPROCS(1) // the next user finds what was put
	shapes[os.Args[1]]()
	for range 5 {
		runtime.GC() // the checks look at idle memory
		time.Sleep(5 * time.Millisecond)
	}
	fmt.Println("done")
}

// arrays is the pool of those shapes that pooled slices.
var arrays spare.Slices[byte]

// nextUser writes to the memory that it finds.
func nextUser(n int) {
	s := arrays.Get(n)
	for i := range n {
		s = append(s, byte(i))
	}
	arrays.Put(s)
}

// concurrently runs its arguments at the same time.
func concurrently(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// show reads all of b.
func show(b []byte) {
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	fmt.Println("read", len(b), sum)
}

func must(ok bool, what string) {
	if !ok {
		fmt.Println("WRONG:", what)
		os.Exit(3)
	}
}
