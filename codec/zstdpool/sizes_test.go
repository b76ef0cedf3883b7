// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
)

// trained returns a dictionary with tables.
func trained(t testing.TB) []byte {
	t.Helper()
	var contents [][]byte
	for i := range uint64(50) {
		contents = append(contents, codectest.Text(i, 1000))
	}
	d, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: contents, History: codectest.Text(1, 60<<10), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// wantSize compares what a pool says that its idle codec holds with what lives because of it.
func wantSize(t *testing.T, what string, p *zstdpool.Pool, slack int) {
	t.Helper()
	s := p.Stats()
	if s.Idle != 1 {
		t.Errorf("%s: %d codecs are idle", what, s.Idle)
	}
	said, held := int(s.IdleBytes), codectest.Held(p.Drain)
	const noise = 8 << 10 // of the test itself
	if said < held-noise || said > held*13/10+slack {
		t.Errorf("%s: IdleBytes is %d KiB, what lives is %d KiB", what, said>>10, held>>10)
	}
}

// What a pool says that an idle encoder holds is what lives because of it or, by some
// hundred kilobytes, more: at each level, with and without options, after short messages
// and long ones.
func TestEncoderSizes(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	codectest.Collect()
	raw := codectest.Text(9, 100<<10)
	data := codectest.Kinds(1 << 20)
	for name, opts := range map[string][]zstd.EOption{
		"none":              nil,
		"a window of 1 KiB": {zstd.WithWindowSize(1 << 10)},
		"a window of 1 MiB": {zstd.WithWindowSize(1 << 20)},
		"little memory":     {zstd.WithLowerEncoderMem(true)},
		"as in httppool":    {zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(128 << 10)},
		"raw dictionary":    {zstd.WithEncoderDictRaw(0, raw), zstd.WithWindowSize(1 << 20)},
		"dictionary":        {zstd.WithEncoderDict(trained(t)), zstd.WithWindowSize(64 << 10)},
	} {
		for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
			for _, n := range []int{0, 200, 100 << 10, 1 << 20} {
				for kind, data := range data {
					if kind != "text" && (n != 100<<10 || name != "none" && name != "as in httppool") {
						continue
					}
					for how, use := range map[string]func(*zstdpool.Pool) error{
						"stream":  func(p *zstdpool.Pool) error { return stream(p, level, data[:n], false) },
						"flushed": func(p *zstdpool.Pool) error { return stream(p, level, data[:n], true) },
						"append":  func(p *zstdpool.Pool) error { _, err := p.AppendCompressLevel(nil, data[:n], level); return err },
					} {
						if how != "stream" && (n == 1<<20 || kind != "text") {
							continue
						}
						p := zstdpool.Pool{EncoderOptions: opts}
						if err := use(&p); err != nil {
							t.Fatal(err)
						}
						// What is made of a block is taken to be all sequences.
						wantSize(t, fmt.Sprintf("options: %s, %v, %d of %s, %s", name, level, n, kind, how), &p, 1<<20)
					}
				}
			}
		}
	}
}

func stream(p *zstdpool.Pool, level zstd.EncoderLevel, data []byte, flush bool) error {
	z, err := p.GetLevel(io.Discard, level)
	if err != nil {
		return err
	}
	z.Write(data)
	if flush {
		z.Flush()
	}
	return z.Close()
}

// skippable returns a frame that is to be skipped.
func skippable(n int) []byte {
	return append([]byte{0x5a, 0x2a, 0x4d, 0x18, byte(n), byte(n >> 8), byte(n >> 16), 0}, make([]byte, n)...)
}

// greedy returns a few bytes of contents in a frame that asks for a window.
func greedy(t testing.TB, window int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		z.Write([]byte("hello"))
		z.Flush()
	}
	z.Close()
	return b.Bytes()
}

// oneSegment returns a frame whose window is its length.
func oneSegment(t testing.TB, data []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, append(opts, zstd.WithSingleSegment(true), zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(data, nil)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// The same for decoders, whatever frames the streams have and wherever a stream is left.
func TestDecoderSizes(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	codectest.Collect()
	dict := trained(t)
	raw := codectest.Text(9, 100<<10)
	small := plainCompress(t, []byte("hello"), true)
	streams := map[string][]byte{
		"nothing":                      nil,
		"skippable only":               skippable(1000),
		"small":                        small,
		"greedy":                       greedy(t, 64<<20),
		"skippable, greedy":            join(skippable(200), greedy(t, 64<<20)),
		"small, greedy":                join(small, greedy(t, 64<<20)),
		"greedy, small":                join(greedy(t, 64<<20), small),
		"small, skippable, 8 MiB":      join(small, skippable(0), greedy(t, 8<<20)),
		"many, the largest in between": join(small, greedy(t, 1<<20), greedy(t, 16<<20), small, greedy(t, 2<<20)),
		"dictionary":                   plainCompress(t, codectest.Text(1, 5000), false, zstd.WithEncoderDict(dict), zstd.WithWindowSize(32<<20)),
		"raw dictionary":               plainCompress(t, codectest.Text(1, 5000), true, zstd.WithEncoderDictRaw(7, raw)),
	}
	for kind, data := range codectest.Kinds(300 << 10) {
		for _, n := range []int{1000, 300 << 10} {
			for _, window := range []int{1 << 10, 8 << 20} {
				for _, sized := range []bool{false, true} {
					streams[fmt.Sprintf("%d of %s, window %d, sized %v", n, kind, window, sized)] = plainCompress(t, data[:n], sized, zstd.WithWindowSize(window))
				}
			}
		}
	}
	for what, in := range streams {
		for _, limit := range []int64{0, 1000, 300 << 10, zstdpool.NoLimit} {
			for options, opts := range map[string][]zstd.DOption{
				"none":         nil,
				"dictionaries": {zstd.WithDecoderDicts(dict), zstd.WithDecoderDictRaw(7, raw)},
				"more memory":  {zstd.WithDecoderDicts(dict), zstd.WithDecoderDictRaw(7, raw), zstd.WithDecoderLowmem(false)},
			} {
				if options == "none" == strings.HasSuffix(what, "dictionary") {
					continue
				}
				p := zstdpool.Pool{DecoderOptions: opts}
				r, err := p.GetReader(bytes.NewReader(in), limit)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, r); err != nil && !errors.Is(err, zstdpool.ErrTooLarge) {
					t.Fatalf("%s, limit %d: %v", what, limit, err)
				}
				r.Close()
				wantSize(t, fmt.Sprintf("%s, limit %d, options: %s", what, limit, options), &p, 500<<10)
			}
		}
	}
}

// A limit bounds the memory that a stream makes a decoder take, whatever window it asks
// for.
func TestLimitBoundsMemory(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	huge := plainCompress(t, make([]byte, 32<<20), true)
	single := oneSegment(t, make([]byte, 32<<20))
	if single[4]&(1<<5) == 0 {
		t.Fatal("not a single segment")
	}
	for what, in := range map[string][]byte{
		"greedy":            greedy(t, 64<<20),
		"skippable, greedy": join(skippable(200), greedy(t, 64<<20)),
		"greedy twice":      join(greedy(t, 32<<20), greedy(t, 64<<20)),
		"long":              huge, // they say their lengths
		"a single segment":  single,
		"small, long":       join(plainCompress(t, []byte("hello"), true), huge),
	} {
		for _, limit := range []int64{0, 1, 1000, 100 << 10, 1 << 20} {
			var p zstdpool.Pool
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, err := p.Decompress(io.Discard, bytes.NewReader(in), limit)
			_, err2 := p.AppendDecompress(nil, in, limit)
			runtime.ReadMemStats(&after)
			for _, err := range []error{err, err2} {
				if err != nil && !errors.Is(err, zstdpool.ErrTooLarge) {
					t.Errorf("%s, limit %d: %d bytes, %v", what, limit, out, err)
				}
			}
			if n := int64(after.TotalAlloc - before.TotalAlloc); n > 1<<20+8*limit {
				t.Errorf("%s, limit %d: %d KiB were allocated", what, limit, n>>10)
			}
		}
	}
}

// A frame that says its length takes no more than that needs, also without a limit.
func TestLengthBoundsMemory(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	const n = 300
	in := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x40, 16 << 3, (n - 256), 0, 1 | n<<3&0xff, n >> 5, 0} // a window of 64 MiB, one block as it is
	in = append(in, make([]byte, n)...)
	var p zstdpool.Pool
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	written, err := p.Decompress(io.Discard, bytes.NewReader(in), zstdpool.NoLimit)
	runtime.ReadMemStats(&after)
	if written != n || err != nil {
		t.Errorf("%d bytes, %v", written, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d KiB were allocated", n>>10)
	}
}

// A stream gives the same up to the limit as without one, also if its matches reach far back.
func TestLimitedWindows(t *testing.T) {
	dict := codectest.Text(9, 200<<10)
	p := zstdpool.Pool{DecoderOptions: []zstd.DOption{zstd.WithDecoderDictRaw(7, dict)}}
	var mixed []byte
	for range 3 {
		mixed = append(mixed, codectest.Kinds(150 << 10)["noise"]...)
		mixed = append(mixed, codectest.Kinds(150 << 10)["matches"]...)
		mixed = append(mixed, dict...)
	}
	noise := codectest.Kinds(513 << 10)["noise"]
	for what, data := range map[string][]byte{
		"mixed": mixed,
		// Matches that reach back just beyond a limit that is a window.
		"65 KiB again and again": bytes.Repeat(noise[:65<<10], 10),
		"513 KiB, twice":         bytes.Repeat(noise, 2),
	} {
		var ins [][]byte
		for _, sized := range []bool{false, true} {
			for _, window := range []int{1 << 20, 8 << 20} {
				for _, opts := range [][]zstd.EOption{nil, {zstd.WithEncoderDictRaw(7, dict)}} {
					opts = append(opts, zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
					in := plainCompress(t, data, sized, opts...)
					half := len(data) / 2
					ins = append(ins, in, join(skippable(100000), plainCompress(t, data[:half], !sized, opts...), plainCompress(t, data[half:], sized, opts...)))
					if len(in) > len(data)*2/3 {
						t.Errorf("%s: the matches were not found: %d of %d bytes", what, len(in), len(data))
					}
				}
			}
		}
		ins = append(ins, oneSegment(t, data, zstd.WithEncoderDictRaw(7, dict)), oneSegment(t, data))
		for i, in := range ins {
			for _, limit := range []int{0, 1, 1000, 64 << 10, 128 << 10, 150<<10 + 1, 512 << 10, 1 << 20, len(data) - 1, len(data), len(data) + 1} {
				for k, src := range sources {
					if codectest.Inexact && k > 0 {
						break // the race detector has seen it
					}
					out, err := readAll(&p, src(in), int64(limit))
					if fits := limit >= len(data); fits != (err == nil) || err != nil && !errors.Is(err, zstdpool.ErrTooLarge) {
						t.Fatalf("%s, %d of source %d, limit %d: %v", what, i, k, limit, err)
					}
					if !bytes.Equal(out, data[:min(limit, len(data))]) {
						t.Fatalf("%s, %d of source %d, limit %d: %d bytes, not those that were compressed", what, i, k, limit, len(out))
					}
				}
			}
		}
	}
}

// MaxIdle holds for decoders too, counted in what they hold.
func TestMaxIdleOfDecoders(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	codectest.Collect()
	in := join(skippable(200), greedy(t, 64<<20))
	p := zstdpool.Pool{MaxIdle: 4 << 20}
	var rs []*zstdpool.Reader
	for range 4 {
		r, err := p.GetReader(bytes.NewReader(in), zstdpool.NoLimit)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r)
		rs = append(rs, r)
	}
	for _, r := range rs {
		r.Close()
	}
	clear(rs)
	if s := p.Stats(); s.IdleBytes > 4<<20 {
		t.Errorf("%+v", s)
	}
	if held := codectest.Held(p.Drain); held > 4<<20 {
		t.Errorf("with a MaxIdle of 4 MiB, %d KiB are held", held>>10)
	}
}

// A decoder that was once large goes, and not before it served some streams that do not
// need it.
func TestLargeDecodersGo(t *testing.T) {
	if codectest.Inexact {
		t.Skip("counts are not exact in this build")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var p zstdpool.Pool
	large, small := greedy(t, 16<<20), plainCompress(t, []byte("hello"), true)
	use := func(in []byte) int64 {
		t.Helper()
		if _, err := p.Decompress(io.Discard, bytes.NewReader(in), zstdpool.NoLimit); err != nil {
			t.Fatal(err)
		}
		return p.Stats().IdleBytes
	}
	for range 20 { // a mixture keeps it
		for range 5 {
			use(small)
		}
		use(large)
	}
	if s := p.Stats(); s.News != 1 {
		t.Errorf("a decoder that was often needed was made %d times", s.News)
	}
	for i := range 20 {
		if n := use(small); n < 1<<20 {
			break
		} else if i == 19 {
			t.Errorf("after %d small streams, the pool holds %d bytes", i+1, n)
		}
	}
	if s := p.Stats(); s.Drops != 1 {
		t.Errorf("%+v", s)
	}
}

// The same for encoders, but not where the tables are as large as the history.
func TestLargeEncodersGo(t *testing.T) {
	if codectest.Inexact {
		t.Skip("counts are not exact in this build")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	small, large := []byte("little"), codectest.Text(1, 300<<10)
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		var p zstdpool.Pool
		use := func(data []byte) {
			t.Helper()
			if err := stream(&p, level, data, false); err != nil {
				t.Fatal(err)
			}
		}
		for range 5 { // a mixture keeps it
			use(large)
			for range 20 {
				use(small)
			}
		}
		if s := p.Stats(); s.News != 1 {
			t.Errorf("%v: an encoder that was often needed was made %d times", level, s.News)
		}
		for range 50 {
			use(small)
		}
		s := p.Stats()
		if goes := level <= zstd.SpeedDefault; goes != (s.Drops == 1) || goes && s.IdleBytes > 2<<20 {
			t.Errorf("%v: after 50 small frames: %+v", level, s)
		}
	}
}
