// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// trio holds the three implementations of a job. All are reached through function
// values of one type, so that none is inlined and all pay for the same call.
type trio[F any] struct{ naive, syncpool, spare F }

func (t trio[F]) all() iter.Seq2[string, F] {
	return func(yield func(string, F) bool) {
		_ = yield("naive", t.naive) && yield("syncpool", t.syncpool) && yield("spare", t.spare)
	}
}

// compare runs loop as the benchmarks impl=naive, impl=syncpool and impl=spare,
// one beside the other; loop must be a single b.Loop behind its setup. Keys are
// further key=value pairs of the name.
func compare[F any](b *testing.B, jobs trio[F], loop func(b *testing.B, job F), keys ...string) {
	b.Helper()
	for impl, job := range jobs.all() {
		name := strings.Join(append([]string{"impl=" + impl}, keys...), "/")
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			loop(b, job)
		})
	}
}

// A proof says what every implementation of a job must give for each input. The
// inputs differ, so that memory shared between two uses shows.
type proof[F, In, Out any] struct {
	inputs []In
	run    func(job F, in In) (Out, error) // uses the job as a caller does
	show   func(Out) string                // called only after later uses
	want   func(In) string                 // worked out without the job
}

// prove runs a proof on all three implementations.
func prove[F, In, Out any](t *testing.T, jobs trio[F], p proof[F, In, Out]) {
	t.Helper()
	for impl, job := range jobs.all() {
		t.Run("impl="+impl, func(t *testing.T) {
			t.Parallel()
			if err := p.twice(job); err != nil {
				t.Error(err)
			}
			if err := p.atOnce(job); err != nil {
				t.Error(err)
			}
		})
	}
}

// twice uses the job on each input twice in a row, and looks at the outputs only
// when all of them have been made.
func (p proof[F, In, Out]) twice(job F) error {
	var outs []Out
	var ins []In
	for _, in := range p.inputs {
		for range 2 {
			out, err := p.run(job, in)
			if err != nil {
				return fmt.Errorf("input %d: %w", len(ins)/2, err)
			}
			outs = append(outs, out)
			ins = append(ins, in)
		}
	}
	for i, out := range outs {
		if got, want := p.show(out), p.want(ins[i]); got != want {
			return fmt.Errorf("input %d, use %d in a row: got %s, want %s", i/2, i%2+1, clip(got), clip(want))
		}
	}
	return nil
}

// atOnce uses the job from eight goroutines, each of them on all inputs from
// another one on. Each holds an output while it makes the next two.
func (p proof[F, In, Out]) atOnce(job F) error {
	const goroutines, rounds = 8, 5
	errs := make(chan error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			var held [2]Out
			var from [2]In
			for i := range rounds * len(p.inputs) {
				k := i % len(held)
				if i >= len(held) {
					if got, want := p.show(held[k]), p.want(from[k]); got != want {
						errs <- fmt.Errorf("goroutine %d, use %d: got %s, want %s", g, i, clip(got), clip(want))
						return
					}
				}
				in := p.inputs[(g+i)%len(p.inputs)]
				out, err := p.run(job, in)
				if err != nil {
					errs <- fmt.Errorf("goroutine %d, use %d: %w", g, i, err)
					return
				}
				held[k], from[k] = out, in
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// lend copies what a job lends to its callback, but not before the other
// goroutines had their chance to write to it.
func lend(b []byte) []byte {
	runtime.Gosched()
	return append([]byte(nil), b...)
}

// lateWriter keeps what is written to it, copied as late as Write may.
type lateWriter struct {
	got    []byte
	writes int
}

func (w *lateWriter) Write(p []byte) (int, error) {
	w.got = append(w.got, lend(p)...)
	w.writes++
	return len(p), nil
}

// clip shortens s for a message.
func clip(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%.200q... (%d bytes)", s, len(s))
	}
	return fmt.Sprintf("%q", s)
}

// The proofs are worth what they find: each must refuse a job with a bug that
// pooling code really has.

// echo is a job whose output is its input.
type echo func(in string) []byte

func echoProof() proof[echo, string, []byte] {
	return proof[echo, string, []byte]{
		inputs: []string{"first", "second", "3rd"},
		run:    func(job echo, in string) ([]byte, error) { return job(in), nil },
		show:   func(out []byte) string { return string(out) },
		want:   func(in string) string { return in },
	}
}

func TestProofAcceptsHonestJob(t *testing.T) {
	honest := func(in string) []byte { return []byte(in) }
	if err := echoProof().twice(honest); err != nil {
		t.Error(err)
	}
	if err := echoProof().atOnce(honest); err != nil {
		t.Error(err)
	}
}

func TestProofRefusesReturnedSharedMemory(t *testing.T) {
	var shared []byte
	job := func(in string) []byte {
		shared = append(shared[:0], in...)
		return shared
	}
	if echoProof().twice(job) == nil {
		t.Error("a job that returns the same memory each time passed")
	}
}

func TestProofRefusesStaleContents(t *testing.T) {
	var stale []byte
	job := func(in string) []byte {
		stale = append(stale, in...)
		return append([]byte(nil), stale...)
	}
	if echoProof().twice(job) == nil {
		t.Error("a job that does not reset what it reuses passed")
	}
}

func TestProofRefusesMemoryOfTwoGoroutines(t *testing.T) {
	// The lock hides the fault from the race detector, not from the proof.
	var mu sync.Mutex
	var shared []byte
	job := func(in string) []byte {
		mu.Lock()
		shared = append(shared[:0], in...)
		mu.Unlock()
		runtime.Gosched()
		mu.Lock()
		defer mu.Unlock()
		return append([]byte(nil), shared...)
	}
	if err := echoProof().twice(job); err != nil {
		t.Errorf("one goroutine: %v", err)
	}
	for range 100 { // a schedule may let it pass; a hundred do not
		if echoProof().atOnce(job) != nil {
			return
		}
	}
	t.Error("a job that shares memory between goroutines passed")
}
