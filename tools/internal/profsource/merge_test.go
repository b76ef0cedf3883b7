// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"fmt"
	"maps"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/underrace"
)

// shard returns the profile of one process of a fleet: stacks that all have, and
// some of its own.
func shard(n, common, own int) heap {
	h := heap{base: 0x400000 + uint64(n)<<24, at: time.Unix(1_700_000_000, 0)} // elsewhere in each process
	callers := names("frame", 10)
	for i := range common {
		leaf := fmt.Sprintf("common%d", i)
		h.samples = append(h.samples, objects(int64(i+n+1), 1, 64, append([]string{leaf}, callers...)...))
	}
	for i := range own {
		leaf := fmt.Sprintf("own%dof%d", i, n)
		h.samples = append(h.samples, objects(5, 0, 128, append([]string{leaf}, callers...)...))
	}
	return h
}

// Merged shards are the whole: every stack has the sum of its values.
func TestFilesMergedShardsEqualWhole(t *testing.T) {
	const shards, common = 7, 1500 // more than what is merged at once
	var paths []string
	want := map[string]string{}
	total := heap{}
	for n := range shards {
		h := shard(n, common, 3)
		p := h.profile()
		p.DurationNanos = int64(10 * time.Second)
		p.TimeNanos += int64(n/2) * int64(5*time.Second) // they overlap
		paths = append(paths, writeFile(t, fmt.Sprintf("shard%d.prof", n), written(p)))
		total.samples = append(total.samples, h.samples[common:]...)
	}
	for i, s := range shard(0, common, 0).samples {
		allocated := int64(shards*(i+1) + shards*(shards-1)/2)
		s.values = [4]int64{allocated, allocated * s.size, 0, 0}
		total.samples = append(total.samples, s)
	}
	p, err := profsource.Files(t.Context(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	got := stacks(p.P)
	for k, v := range stacks(total.profile()) {
		var objects, bytes int64
		fmt.Sscanf(v, "[%d %d", &objects, &bytes)
		want[k] = fmt.Sprint([]int64{objects, bytes}) // in use is not known of differences
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d stacks, want %d", len(got), len(want))
		for k, v := range want {
			if got[k] != v {
				t.Fatalf("%s: got %s, want %s", k, got[k], v)
			}
		}
	}
	if p.Span != 25*time.Second {
		t.Errorf("span %v, want the time that the shards cover together, 25s", p.Span)
	}
}

// One file among many that cannot be read is an error, not a smaller sum.
func TestFilesError(t *testing.T) {
	good := writeFile(t, "good.prof", sample.gz())
	bad := writeFile(t, "bad.prof", sample.gz()[:40])
	p, err := profsource.Files(t.Context(), good, bad, good)
	wantError(t, p, err, bad, "truncated")
	p, err = profsource.Files(t.Context())
	wantError(t, p, err, "no profile")
	p, err = profsource.Files(t.Context(), good, good)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sumOf(p), (sum{2 * 147, 2 * (100*96 + 7*10240 + 40*32)}); got != want || p.Span != 0 || len(p.P.SampleType) != 4 {
		t.Errorf("twice the same: got %v, want %v; span %v, %d types", got, want, p.Span, len(p.P.SampleType))
	}
}

// Merging a thousand profiles takes the memory of merging a few: it grows with
// the number of distinct stacks only. The peak is that of a process of its own.
func TestFilesMemoryIsBounded(t *testing.T) {
	if testing.Short() || underrace.Enabled() {
		t.Skip("merges thousands of profiles, and the race detector has memory of its own")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is read from /proc")
	}
	const shards, common, own = 50, 400, 10
	var paths []string
	var bytes int64
	for n := range shards {
		h := shard(n, common, own)
		paths = append(paths, writeFile(t, fmt.Sprintf("shard%d.prof", n), h.gz()))
		for _, s := range h.samples {
			bytes += s.values[1]
		}
	}
	measure := func(times int) (peak int64) {
		var samples int
		var total int64
		out := run(t, "merge", append([]string{strconv.Itoa(times)}, paths...)...)
		if _, err := fmt.Sscan(out, &peak, &samples, &total); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		want := bytes * int64(times)
		if samples != common+shards*own || total != want {
			t.Fatalf("%d files: %d samples with %d bytes, want %d with %d", times*shards, samples, total, common+shards*own, want)
		}
		return peak
	}
	few, many := measure(1), measure(20)
	// Where processors are scarce the collector is late, which only ever adds.
	for range 4 {
		if many > few+few/2 {
			many = min(many, measure(20))
		}
	}
	t.Logf("peak of %d profiles of %d stacks: %d MB; of %d profiles: %d MB", shards, common+own, few>>20, 20*shards, many>>20)
	if many > few+few/2 {
		t.Errorf("%d profiles took %d MB, %d took %d MB: memory grows with their number", 20*shards, many>>20, shards, few>>20)
	}
}
