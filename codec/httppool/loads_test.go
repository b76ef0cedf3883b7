// SPDX-License-Identifier: BSD-3-Clause

package httppool_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/internal/codectest"
)

// idleBytes returns what the pools of this package hold.
func idleBytes() (n int64) {
	for name, s := range spare.All() {
		if name == "httppool" {
			n = s.IdleBytes
		}
	}
	return n
}

// Whatever share of the answers is large, the memory that lies idle is bounded by what is in
// use at once, and does not grow with the number of answers.
func TestLoads(t *testing.T) {
	if codectest.Inexact {
		t.Skip("counts are not exact in this build")
	}
	const large = 1 << 20
	small, big := &answer{Text: "x"}, &answer{Text: strings.Repeat("x", large)}
	for _, load := range []struct {
		name    string
		every   int // which answer is large, or 0
		largest int64
		steps   int
	}{
		{"all small", 0, 1 << 10, 3000},
		{"one of 300 is large", 300, large, 3000},
		{"one of 30 is large", 30, large, 3000},
		{"one of 2 is large", 2, large, 300},
		{"all large", 1, large, 300},
	} {
		for _, atOnce := range []int{1, 4, 16} {
			pick := func(i int) *answer {
				if load.every > 0 && i%load.every == 0 {
					return big
				}
				return small
			}
			// within returns a function that checks the bound after i answers.
			within := func(t *testing.T) func(i int) bool {
				codectest.Collect()
				before := idleBytes() // of pools whose codecs other tests used
				bound := 2*load.largest*int64(atOnce) + 4<<20*int64(runtime.GOMAXPROCS(0))
				return func(i int) bool {
					n := idleBytes() - before
					if n > bound {
						t.Errorf("after %d answers, %d KiB are idle, more than %d KiB", i, n>>10, bound>>10)
					}
					return n <= bound
				}
			}
			// Bodies that are held for a while, by one goroutine.
			t.Run(fmt.Sprintf("%s, %d bodies at once", load.name, atOnce), func(t *testing.T) {
				check := within(t)
				held := make([]*httppool.Body, atOnce)
				for i := range load.steps {
					if b := held[i%atOnce]; b != nil {
						b.Release()
					}
					var err error
					if held[i%atOnce], err = httppool.NewJSONBody(pick(i)); err != nil {
						t.Fatal(err)
					}
					if !check(i) {
						break
					}
				}
				for _, b := range held {
					if b != nil {
						b.Release()
					}
				}
				check(load.steps)
			})
			// Answers, by as many goroutines.
			t.Run(fmt.Sprintf("%s, answers of %d goroutines", load.name, atOnce), func(t *testing.T) {
				check := within(t)
				var wg sync.WaitGroup
				for g := range atOnce {
					wg.Go(func() {
						w := &discard{http.Header{}}
						for i := range load.steps / atOnce {
							if err := httppool.WriteJSON(w, 200, pick(g+i*atOnce)); err != nil {
								t.Error(err)
							}
							if !check(i) {
								return
							}
						}
					})
				}
				wg.Wait()
			})
		}
	}
}
