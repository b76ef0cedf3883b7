// SPDX-License-Identifier: BSD-3-Clause

package zstdpool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"weak"

	"github.com/klauspost/compress/zstd"

	"github.com/spare-go/spare/codec/internal/codectest"
	"github.com/spare-go/spare/codec/zstdpool"
)

// plainCompress compresses with a new encoder; size says whether the frame tells its
// length.
func plainCompress(t testing.TB, data []byte, size bool, opts ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, append(opts, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if size {
		z.ResetContentSize(&b, int64(len(data)))
		z.Write(data)
		z.Close()
		return b.Bytes()
	}
	z.Write(data)
	z.Flush()
	z.Close()
	return b.Bytes()
}

// plainDecompress decompresses with a new decoder.
func plainDecompress(in []byte) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(in), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

func unpack(t testing.TB, in []byte) string {
	t.Helper()
	out, err := plainDecompress(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func readAll(p *zstdpool.Pool, r io.Reader, limit int64) ([]byte, error) {
	z, err := p.GetReader(r, limit)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

// At each level, a pooled writer gives the bytes that a new one gives.
func TestWriterMatchesConstructor(t *testing.T) {
	var p zstdpool.Pool
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		for i := range uint64(4) {
			data := codectest.Text(i, 500+int(i)*90000)
			want := plainCompress(t, data, false, zstd.WithEncoderLevel(level))
			var got bytes.Buffer
			z, err := p.GetLevel(&got, level)
			if err != nil {
				t.Fatal(err)
			}
			z.Write(data)
			if err := z.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("level %v, use %d: the bytes differ from those of a new writer", level, i)
			}
			out, err := p.AppendCompressLevel([]byte("before"), data, level)
			if err != nil || string(out[:6]) != "before" || !bytes.Equal(out[6:], plainCompress(t, data, true, zstd.WithEncoderLevel(level))) {
				t.Errorf("level %v, use %d: AppendCompressLevel: %v", level, i, err)
			}
			if z, err = p.GetLevel(io.Discard, level); err != nil { // the next one has to get rid of this
				t.Fatal(err)
			}
			z.Write(data)
			zstdpool.Put(z)
		}
	}
	for _, level := range []zstd.EncoderLevel{-1, 0, 5, 100} {
		_, want := zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
		z, err := p.GetLevel(io.Discard, level)
		if z != nil || want == nil || fmt.Sprint(err) != want.Error() {
			t.Errorf("level %d: %v, want %v", level, err, want)
		}
		if out, err := p.AppendCompressLevel([]byte("dst"), nil, level); err == nil || string(out) != "dst" {
			t.Errorf("level %d: %q, %v", level, out, err)
		}
	}
}

var sources = []func([]byte) io.Reader{
	func(b []byte) io.Reader { return bytes.NewReader(b) },
	func(b []byte) io.Reader { return bytes.NewBuffer(bytes.Clone(b)) },
	func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) },
	func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
}

func TestReader(t *testing.T) {
	var p zstdpool.Pool
	data := codectest.Text(1, 300000)
	// With a larger window, decoders that the other streams do not need would go.
	sized, unsized := plainCompress(t, data, true), plainCompress(t, data, false, zstd.WithWindowSize(512<<10))
	skippable := []byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc")
	for range 3 {
		for i, c := range []struct {
			in   []byte
			want string
		}{
			{sized, string(data)},
			{unsized, string(data)},
			{append(bytes.Clone(sized), unsized...), string(data) + string(data)},
			{append(bytes.Clone(unsized), sized...), string(data) + string(data)},
			{append(bytes.Clone(skippable), sized...), string(data)},
			{nil, ""},
		} {
			for k, src := range sources {
				out, err := readAll(&p, src(c.in), zstdpool.NoLimit)
				if err != nil || string(out) != c.want {
					t.Errorf("%d of source %d: %d bytes, %v", i, k, len(out), err)
				}
				var b bytes.Buffer
				n, err := p.Decompress(&b, src(c.in), int64(len(c.want)))
				if err != nil || n != int64(len(c.want)) || b.String() != c.want {
					t.Errorf("%d of source %d: Decompress: %d, %v", i, k, n, err)
				}
			}
			for _, limit := range []int{len(c.want), math.MaxInt} {
				out, err := p.AppendDecompress([]byte("dst"), c.in, int64(limit))
				if err != nil || string(out) != "dst"+c.want {
					t.Errorf("%d: AppendDecompress: %d bytes, %v", i, len(out), err)
				}
			}
		}
	}
	if s := p.Stats(); s.Drops > 0 {
		t.Errorf("good streams cost codecs: %+v", s)
	}
}

func TestLimit(t *testing.T) {
	var p zstdpool.Pool
	data := codectest.Text(2, 5000)
	for i, in := range [][]byte{
		plainCompress(t, data, true), plainCompress(t, data, false),
		append(plainCompress(t, data[:2000], true), plainCompress(t, data[2000:], false)...),
	} {
		for _, limit := range []int{-5, 0, 1, 1999, 2000, 2001, 4999, 5000, 5001} {
			fits := limit >= len(data)
			check := func(how string, out []byte, err error) {
				t.Helper()
				if fits != (err == nil) || fits && !bytes.Equal(out, data) || !fits && !errors.Is(err, zstdpool.ErrTooLarge) || len(out) > max(limit, 0) {
					t.Errorf("%d: limit %d, %s: %d bytes, %v", i, limit, how, len(out), err)
				}
			}
			for _, src := range sources {
				out, err := readAll(&p, src(in), int64(limit))
				check("stream", out, err)
			}
			out, err := p.AppendDecompress(nil, in, int64(limit))
			check("append", out, err)
		}
	}
	if s := p.Stats(); s.Drops > 0 {
		t.Errorf("limits cost codecs: %+v", s)
	}
	// Neither a bomb nor a length that is a lie takes memory.
	zeros := make([]byte, 64<<20)
	bomb, sizedBomb := plainCompress(t, zeros, false), plainCompress(t, zeros, true)
	lie := append([]byte("\x28\xb5\x2f\xfd\xa0\xff\xff\xff\x7f"), sizedBomb[9:]...)
	for i, in := range [][]byte{bomb, sizedBomb, lie, append(plainCompress(t, data[:10], true), bomb...)} {
		p.AppendDecompress(nil, in, 1<<20) // warm
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := p.AppendDecompress(nil, in, 1<<20); err == nil || i != 2 && !strings.Contains(err.Error(), "limit of 1048576 bytes") {
			t.Errorf("bomb %d: %v", i, err)
		}
		if _, err := readAll(&p, bytes.NewBuffer(in), 1<<20); err == nil {
			t.Errorf("bomb %d as a stream: no error", i)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 48<<20 {
			t.Errorf("bomb %d of %d bytes made it allocate %d", i, len(in), n)
		}
	}
	// A window that is too large is refused.
	small := zstdpool.Pool{MaxWindow: 1 << 20}
	in := plainCompress(t, codectest.Text(1, 3<<20), false, zstd.WithWindowSize(8<<20))
	if _, err := readAll(&small, bytes.NewReader(in), zstdpool.NoLimit); err == nil {
		t.Error("a window of 8 MiB was accepted")
	}
}

func TestDamagedInput(t *testing.T) {
	var p zstdpool.Pool
	data := codectest.Text(1, 300)
	for _, good := range [][]byte{plainCompress(t, data, true), plainCompress(t, data, false)} {
		check := func(what string, in []byte) {
			want, wantErr := plainDecompress(in)
			got, err := p.AppendDecompress([]byte("dst"), in, 1<<20)
			streamed, streamErr := readAll(&p, struct{ io.Reader }{bytes.NewReader(in)}, 1<<20)
			if wantErr == nil && (err != nil || streamErr != nil || string(got) != "dst"+string(want) || !bytes.Equal(streamed, want)) {
				t.Errorf("%s: %v and %v for good input", what, err, streamErr)
			}
			if wantErr != nil && (err == nil || streamErr == nil || string(got) != "dst") {
				t.Errorf("%s: %v and %v, want %v; left %q", what, err, streamErr, wantErr, got)
			}
			if wantErr != nil && !errors.Is(streamErr, wantErr) && streamErr.Error() != wantErr.Error() {
				t.Errorf("%s: %v, want %v", what, streamErr, wantErr)
			}
			if out, err := p.AppendDecompress(nil, good, 300); err != nil || len(out) != 300 {
				t.Fatalf("after %s: %d bytes, %v", what, len(out), err)
			}
		}
		for n := range len(good) {
			check(fmt.Sprintf("first %d", n), good[:n])
		}
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 0x10
			check(fmt.Sprintf("bit flipped in byte %d", i), bad)
		}
		check("garbage behind", append(bytes.Clone(good), "garbage"...))
	}
}

// The codec is not the handle's any more after Close or Put.
func TestLateUse(t *testing.T) {
	var p zstdpool.Pool
	var late []*zstdpool.Writer
	var lateR []*zstdpool.Reader
	for i := range 30 {
		var b bytes.Buffer
		z := p.Get(&b)
		other := p.Get(io.Discard)
		for _, old := range late {
			if _, err := old.Write([]byte("intruder")); err != zstdpool.ErrClosed { //spare:ignore use-after-put the subject of the test
				t.Fatalf("late Write: %v", err)
			}
			if err := old.Flush(); err != zstdpool.ErrClosed {
				t.Fatalf("late Flush: %v", err)
			}
			old.Close()
			zstdpool.Put(old)
		}
		fmt.Fprintf(z, "use %d", i)
		zstdpool.Put(other)
		zstdpool.Put(other)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal("second Close:", err)
		}
		if got := unpack(t, b.Bytes()); got != fmt.Sprintf("use %d", i) {
			t.Fatalf("got %q", got)
		}
		r, err := p.GetReader(&b, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, old := range lateR {
			if _, err := old.Read(make([]byte, 5)); err != zstdpool.ErrClosed { //spare:ignore use-after-put the subject of the test
				t.Fatalf("late Read: %v", err)
			}
			old.Close()
			zstdpool.PutReader(old)
		}
		if out, err := io.ReadAll(r); err != nil || string(out) != fmt.Sprintf("use %d", i) {
			t.Fatalf("%q, %v", out, err)
		}
		r.Close()
		late, lateR = append(late, z, other), append(lateR, r)
	}
	zstdpool.Put(nil)
	zstdpool.PutReader(nil)
}

// Errors and panics of one user's writer or reader are not the next one's.
func TestErrorsAndPanics(t *testing.T) {
	var p zstdpool.Pool
	data := codectest.Text(5, 400000)
	in := plainCompress(t, data, false)
	good := func() {
		t.Helper()
		var b bytes.Buffer
		if _, err := p.Compress(&b, bytes.NewReader(data)); err != nil || unpack(t, b.Bytes()) != string(data) {
			t.Errorf("the next stream is wrong: %v", err)
		}
		if out, err := p.AppendDecompress(nil, in, int64(len(data))); err != nil || !bytes.Equal(out, data) {
			t.Errorf("the next decompression is wrong: %v", err)
		}
	}
	for _, n := range []int{0, 10, 50000} {
		z := p.Get(&codectest.BrokenWriter{N: n})
		_, err := z.Write(data)
		if err == nil {
			err = z.Flush()
		}
		if err != codectest.ErrBroken || z.Close() != codectest.ErrBroken || z.Close() != codectest.ErrBroken {
			t.Errorf("broken writer after %d bytes: %v", n, err)
		}
		good()
		z = p.Get(&codectest.BrokenWriter{N: n, Panic: true})
		if v := codectest.Caught(func() {
			defer func() {
				if z.Close() == nil {
					t.Error("Close after a panic succeeded")
				}
			}()
			z.Write(data)
			z.Flush()
		}); v != codectest.ErrBroken {
			t.Errorf("panicking writer: %v", v)
		}
		good()
		src := io.MultiReader(bytes.NewReader(in[:n]), iotest.ErrReader(codectest.ErrBroken))
		if _, err := readAll(&p, src, zstdpool.NoLimit); err != codectest.ErrBroken {
			t.Errorf("broken reader after %d bytes: %v", n, err)
		}
		good()
		if v := codectest.Caught(func() { p.Decompress(io.Discard, codectest.PanicReader{R: bytes.NewReader(in[:n])}, zstdpool.NoLimit) }); v != codectest.ErrBroken {
			t.Errorf("panicking reader: %v", v)
		}
		good()
	}
	if s := p.Stats(); s.Drops < 6 {
		t.Errorf("%+v", s)
	}
}

func TestRefusedOptions(t *testing.T) {
	p := zstdpool.Pool{EncoderOptions: []zstd.EOption{zstd.WithWindowSize(3)}, DecoderOptions: []zstd.DOption{zstd.WithDecoderMaxMemory(0)}}
	for range 3 {
		z := p.Get(io.Discard)
		if _, err := z.Write([]byte("x")); err == nil || z.Close() == nil || z.Flush() == nil {
			t.Errorf("Write: %v", err)
		}
		zstdpool.Put(z)
		if _, err := p.GetLevel(io.Discard, zstd.SpeedDefault); err == nil {
			t.Error("GetLevel: no error")
		}
		if out, err := p.AppendCompressLevel([]byte("dst"), []byte("x"), zstd.SpeedDefault); err == nil || string(out) != "dst" {
			t.Errorf("AppendCompressLevel: %q, %v", out, err)
		}
		if _, err := p.GetReader(strings.NewReader(""), 1); err == nil {
			t.Error("GetReader: no error")
		}
		if _, err := p.AppendDecompress(nil, nil, 1); err == nil {
			t.Error("AppendDecompress: no error")
		}
	}
	dict := []byte(strings.Repeat("dictionary contents ", 20))
	d := zstdpool.Pool{
		EncoderOptions: []zstd.EOption{zstd.WithEncoderDictRaw(7, dict)},
		DecoderOptions: []zstd.DOption{zstd.WithDecoderDictRaw(7, dict)},
	}
	for range 3 {
		z, err := d.AppendCompressLevel(nil, []byte("dictionary contents again"), zstd.SpeedDefault)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := d.AppendDecompress(nil, z, 100); err != nil || string(out) != "dictionary contents again" {
			t.Errorf("%q, %v", out, err)
		}
	}
}

// Idle codecs hold nothing of their last user's.
func TestIdleCodecsHoldNothing(t *testing.T) {
	type big struct {
		bytes.Buffer
		_ [64]byte
	}
	var p zstdpool.Pool
	refs := make(map[string]func() bool)
	track := func(name string, x *big) *big {
		w := weak.Make(x)
		refs[name] = func() bool { return w.Value() != nil }
		return x
	}
	trackBytes := func(name string, b []byte) []byte {
		w := weak.Make(&b[0])
		refs[name] = func() bool { return w.Value() != nil }
		return b
	}
	func() {
		for _, n := range []int{100, 300000} {
			data := codectest.Text(3, n)
			in, unsized := plainCompress(t, data, true), plainCompress(t, data, false)
			z := p.Get(track(fmt.Sprint("writer, closed ", n), new(big)))
			z.Write(trackBytes(fmt.Sprint("data of Write ", n), bytes.Clone(data)))
			z.Close()
			z = p.Get(track(fmt.Sprint("writer, abandoned ", n), new(big)))
			z.Write(data)
			zstdpool.Put(z)
			out, err := p.AppendCompressLevel(nil, trackBytes(fmt.Sprint("src of AppendCompress ", n), bytes.Clone(data)), zstd.SpeedDefault)
			if err != nil {
				t.Fatal(err)
			}
			trackBytes(fmt.Sprint("dst of AppendCompress ", n), out)
			packed, plain := track(fmt.Sprint("writer of Compress ", n), new(big)), track(fmt.Sprint("reader of Compress ", n), new(big))
			plain.Write(data)
			if _, err := p.Compress(packed, plain); err != nil {
				t.Fatal(err)
			}
			from := track(fmt.Sprint("reader of Decompress ", n), &big{Buffer: packed.Buffer})
			if _, err := p.Decompress(track(fmt.Sprint("writer of Decompress ", n), new(big)), from, 1<<20); err != nil {
				t.Fatal(err)
			}
			for i, in := range [][]byte{in, unsized} {
				out, err := p.AppendDecompress(nil, trackBytes(fmt.Sprint("src of AppendDecompress ", n, i), bytes.Clone(in)), 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				trackBytes(fmt.Sprint("dst of AppendDecompress ", n, i), out)
				for _, k := range []int64{0, 10, 1 << 20} {
					b := track(fmt.Sprint("reader ", n, i, k), new(big))
					b.Write(in)
					r, err := p.GetReader(b, 1<<20)
					if err != nil {
						t.Fatal(err)
					}
					io.CopyN(io.Discard, r, k)
					r.Close()
				}
			}
		}
	}()
	for name := range codectest.Alive(refs) {
		t.Errorf("an idle codec holds the %s", name)
	}
	if s := p.Stats(); s.Idle == 0 {
		t.Errorf("the codecs themselves are gone: %+v", s)
	}
}

func TestResultsDoNotAlias(t *testing.T) {
	var outs, ins [][]byte
	for i := range uint64(30) {
		data := codectest.Text(i, 1+int(i)*997)
		out := zstdpool.AppendCompress(nil, data)
		in, err := zstdpool.AppendDecompress(nil, out, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		outs, ins = append(outs, out), append(ins, in)
	}
	for i := range outs {
		want := string(codectest.Text(uint64(i), 1+i*997))
		if unpack(t, outs[i]) != want || string(ins[i]) != want {
			t.Errorf("result %d changed", i)
		}
	}
}

// The codecs work in a bubble, and start no goroutine: the bubble would wait for it.
func TestSynctest(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	work := func(t *testing.T, p *zstdpool.Pool) {
		data := codectest.Text(1, 2<<20)
		var b bytes.Buffer
		if _, err := p.Compress(&b, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		r, err := p.GetReader(&b, zstdpool.NoLimit)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := io.ReadAll(r); err != nil || !bytes.Equal(out, data) {
			t.Error(err)
		}
		abandoned := p.Get(io.Discard) // neither closed nor put
		abandoned.Write(data)
	}
	synctest.Test(t, func(t *testing.T) {
		var own zstdpool.Pool
		work(t, &own)
		synctest.Wait()
	})
	var outside zstdpool.Pool
	work(t, &outside)
	synctest.Test(t, func(t *testing.T) { work(t, &outside) })
	if n := runtime.NumGoroutine(); n > goroutines+1 { // the pools' own tick may be one
		t.Errorf("%d goroutines before, %d after", goroutines, n)
	}
}

func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range uint64(8) {
		wg.Go(func() {
			for i := range uint64(20) {
				data := codectest.Text(g*1000+i, 100+int(i)*9000)
				var b bytes.Buffer
				if _, err := zstdpool.Compress(&b, bytes.NewReader(data)); err != nil {
					t.Error(err)
				}
				if out, err := zstdpool.AppendDecompress(nil, b.Bytes(), int64(len(data))); err != nil || !bytes.Equal(out, data) {
					t.Errorf("goroutine %d, use %d: wrong contents, %v", g, i, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestAllocs(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	var p zstdpool.Pool
	data := codectest.Text(1, 2000)
	in := plainCompress(t, data, true)
	dst := make([]byte, 0, 8000)
	src := bytes.NewReader(in)
	for _, c := range []struct {
		name string
		want float64
		f    func()
	}{
		{"Get, Write, Close", 0, func() { z := p.Get(io.Discard); z.Write(data); z.Close() }},
		{"AppendCompressLevel", 0, func() { p.AppendCompressLevel(dst, data, zstd.SpeedDefault) }},
		{"AppendDecompress", 0, func() { p.AppendDecompress(dst, in, 8000) }},
		{"AppendDecompress to nil", 1, func() { p.AppendDecompress(nil, in, 8000) }},
		{"GetReader", 1, func() {
			src.Reset(in)
			z, _ := p.GetReader(src, 8000)
			z.Read(dst[:4000])
			z.Close()
		}},
	} {
		c.f()
		if got := testing.AllocsPerRun(100, c.f); got != c.want {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.want)
		}
	}
}

// MaxIdle is what idle codecs of a kind hold at most.
func TestMaxIdle(t *testing.T) {
	p := zstdpool.Pool{MaxIdle: 6 << 20}
	var zs []*zstdpool.Writer
	for range 10 {
		z := p.Get(io.Discard)
		z.Write([]byte("little"))
		zs = append(zs, z)
	}
	for _, z := range zs {
		z.Close()
	}
	before := p.Stats()
	if before.Idle != 3 && !codectest.Inexact || before.IdleBytes > 6<<20 {
		t.Errorf("encoders of 1.7 MiB: %+v", before)
	}
	z := p.Get(io.Discard)
	z.Write(codectest.Text(1, 1<<20)) // now it holds 16 MiB more
	z.Close()
	// A goroutine that came to another processor may get a new one.
	s := p.Stats()
	if left := before.Idle + int64(s.News-before.News) - 1; s.Idle > left || s.IdleBytes > 6<<20 {
		t.Errorf("one that grew beyond the bound was kept: %+v", s)
	}
}
