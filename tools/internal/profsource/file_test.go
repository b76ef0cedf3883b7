// SPDX-License-Identifier: BSD-3-Clause

package profsource_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spare-go/spare/tools/internal/profsource"
	"github.com/spare-go/spare/tools/internal/underrace"
)

var sample = heap{at: time.Unix(1_700_000_000, 0), samples: []heapSample{
	objects(100, 3, 96, "alloc", "handle", "main"),
	objects(7, 7, 10240, "alloc", "handle", "main"),
	objects(40, 0, 32, "grow", "handle", "main"),
}}

func TestFileReadsEveryForm(t *testing.T) {
	for name, data := range map[string][]byte{"gzip": sample.gz(), "raw": sample.raw(), "gzip twice": gzipped(sample.gz())} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "mem.prof", data)
			p, err := profsource.File(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			checkNormal(t, p)
			if p.From != path || p.Span != 0 || p.P.Period != 524288 {
				t.Errorf("From %q, Span %v, Period %d", p.From, p.Span, p.P.Period)
			}
			want := stacks(sample.profile())
			if got := stacks(p.P); !maps.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// What the process itself wrote, with every allocation sampled, is read exactly.
func TestFileOfProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mem.prof")
	run(t, "whole", path, "300", "200")
	p, err := profsource.File(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	want := map[string]sum{"allocateSmall": {500, 500 * smallSize}, "allocateLarge": {50, 50 * largeSize}}
	if got := sums(p.P); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A process that samples by the default rate is read as an estimate: Go scales
// its counts when it writes them, and they must not be scaled again.
func TestFileIsUnsampledOnce(t *testing.T) {
	p, err := profsource.File(t.Context(), writeFile(t, "mem.prof", sample.gz()))
	if err != nil {
		t.Fatal(err)
	}
	var bytes int64
	for _, s := range p.P.Sample {
		bytes += s.Value[1]
	}
	if want := int64(100*96 + 7*10240 + 40*32); bytes != want {
		t.Errorf("%d bytes, want %d", bytes, want)
	}
}

// The text form has counts of samples and no names.
const textProfile = `heap profile: 1: 1024 [3: 4096] @ heap/1048576
1: 1024 [2: 3072] @ 0x4a0b10 0x4a0c20
#	0x4a0b0f	main.alloc+0x2f	/src/main.go:10

0: 0 [1: 1024] @ 0x4a0b40 0x4a0c20
`

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	noNames := sample.profile()
	noNames.Function = nil
	for _, l := range noNames.Location {
		l.Line = nil
	}
	spaceOnly := column(sample.profile(), 1)
	negative := sample.profile()
	negative.Sample[0].Value[1] = -5
	overflow := sample.profile()
	overflow.Sample = append(overflow.Sample, overflow.Sample[0], overflow.Sample[0])
	overflow.Sample[0].Value[1] = math.MaxInt64 / 2
	gz, raw := sample.gz(), sample.raw()
	damaged := bytes.Clone(gz)
	damaged[len(damaged)/2] ^= 0x55
	for name, c := range map[string]struct {
		path string
		data []byte
		want []string
	}{
		"missing":       {path: filepath.Join(dir, "none.prof"), want: []string{"no such file"}},
		"directory":     {path: dir, want: []string{"is a directory"}},
		"empty":         {data: []byte{}, want: []string{"is empty"}},
		"text":          {data: []byte("allocations are many\n"), want: []string{"is not a profile", "-memprofile"}},
		"html":          {data: []byte("<!DOCTYPE html><title>Sign in</title>"), want: []string{"HTML"}},
		"json":          {data: []byte(`{"a": 1}`), want: []string{"JSON"}},
		"trace":         {data: []byte("go 1.26 trace\x00\x00\x00"), want: []string{"execution trace"}},
		"gzip of text":  {data: gzipped([]byte("hello")), want: []string{"is not a profile"}},
		"truncated":     {data: gz[:len(gz)*2/3], want: []string{"truncated"}},
		"truncated raw": {data: raw[:len(raw)*2/3], want: []string{"truncated or damaged"}},
		"damaged":       {data: damaged, want: []string{"damaged"}},
		"cpu":           {data: written(otherKind("cpu", "samples", "cpu")), want: []string{"CPU profile", "samples, cpu", "/debug/pprof/allocs"}},
		"goroutine":     {data: written(otherKind("goroutine", "goroutine")), want: []string{"goroutine profile"}},
		"mutex":         {data: written(otherKind("contentions", "contentions", "delay")), want: []string{"mutex or block"}},
		"in use only":   {data: written(otherKind("space", "inuse_objects", "inuse_space")), want: []string{"in use"}},
		"space only":    {data: written(spaceOnly), want: []string{"only alloc_space", "both alloc_objects and alloc_space"}},
		"addresses":     {data: written(noNames), want: []string{"100%", "without function names", "debug=0"}},
		"text form":     {data: []byte(textProfile), want: []string{"without function names", "debug=0"}},
		"negative":      {data: written(negative), want: []string{"negative", "difference"}},
		"overflow":      {data: written(overflow), want: []string{"damaged", "64 bits"}},
		"no samples":    {data: heap{}.gz(), want: []string{"no allocation", "MemProfileRate"}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.path == "" {
				c.path = writeFile(t, "some.prof", c.data)
			}
			p, err := profsource.File(t.Context(), c.path)
			wantError(t, p, err, append(c.want, c.path)...)
		})
	}
}

// Wherever a profile is cut off, the result is an error, or the loss is of
// headers alone, which come last in the raw form.
func TestFileCutAnywhere(t *testing.T) {
	want := stacks(sample.profile())
	for name, data := range map[string][]byte{"gzip": sample.gz(), "raw": sample.raw()} {
		whole := 0
		for n := range data {
			p, err := profsource.File(t.Context(), writeFile(t, "cut.prof", data[:n]))
			if err != nil {
				continue
			}
			whole++
			if got := stacks(p.P); !maps.Equal(got, want) {
				t.Fatalf("%s cut to %d of %d bytes: got %v", name, n, len(data), got)
			}
		}
		t.Logf("%s: %d of %d cuts lose no sample", name, whole, len(data))
		if name == "gzip" && whole > 0 {
			t.Errorf("%d cut gzip files are read", whole)
		}
	}
}

// A file above the limit is refused before it is decoded, compressed or not.
func TestFileTooLarge(t *testing.T) {
	if underrace.Enabled() {
		t.Skip("packs and reads hundreds of MiB, in one goroutine")
	}
	for name, write := range map[string]func(*os.File) error{
		"raw": func(f *os.File) error { return f.Truncate(300 << 20) },
		"gzip": func(w *os.File) error {
			z := gzip.NewWriter(w)
			return errors.Join(zeros(z, 300<<20), z.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "huge.prof")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(write(f), f.Close()); err != nil {
				t.Fatal(err)
			}
			p, err := profsource.File(t.Context(), path)
			wantError(t, p, err, path, "larger than 256 MB")
		})
	}
}

func TestFileCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := profsource.File(ctx, writeFile(t, "mem.prof", sample.gz()))
	if !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("got %v, %v", p, err)
	}
}

// A profile that is a difference already has a duration; what it says of memory
// in use is a difference, too, and is left out.
func TestFileOfDifference(t *testing.T) {
	d := sample.profile()
	d.DurationNanos = int64(30 * time.Second)
	p, err := profsource.File(t.Context(), writeFile(t, "delta.prof", written(d)))
	if err != nil {
		t.Fatal(err)
	}
	checkNormal(t, p)
	if len(p.P.SampleType) != 2 || p.Span != 30*time.Second {
		t.Errorf("%d sample types, span %v", len(p.P.SampleType), p.Span)
	}
}

func wantError(t *testing.T, p *profsource.Profile, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", want)
	}
	if p != nil {
		t.Errorf("a profile beside the error %v", err)
	}
	if strings.ContainsAny(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q\nlacks %q", err, w)
		}
	}
	t.Log(err)
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// zeros writes n zero bytes.
func zeros(w io.Writer, n int) error {
	block := make([]byte, 1<<20)
	for ; n > 0; n -= len(block) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}
