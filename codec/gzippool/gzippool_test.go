// SPDX-License-Identifier: BSD-3-Clause

package gzippool_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
	"weak"

	kgzip "github.com/klauspost/compress/gzip"

	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/internal/codectest"
)

// eachBackend runs a test with a new pool of each backend.
func eachBackend(t *testing.T, test func(t *testing.T, p *gzippool.Pool)) {
	for _, b := range []gzippool.Backend{gzippool.Klauspost, gzippool.Standard} {
		t.Run(strings.ReplaceAll(b.String(), "/", "."), func(t *testing.T) {
			test(t, &gzippool.Pool{Backend: b})
		})
	}
}

// gunzip decompresses with the standard library.
func gunzip(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// gzipped compresses with the standard library.
func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

type stream interface {
	io.WriteCloser
	Flush() error
}

// use writes a stream with flushes between.
func use(t *testing.T, z stream, data []byte) {
	t.Helper()
	for i := 0; i < len(data); i += 1000 {
		if _, err := z.Write(data[i:min(i+1000, len(data))]); err != nil {
			t.Fatal(err)
		}
		if i%3000 == 0 {
			if err := z.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// At each level, a pooled writer gives the bytes that a new one gives, also when it was
// used before, and abandoned before.
func TestWriterMatchesConstructor(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for level := gzippool.HuffmanOnly; level <= gzippool.BestCompression; level++ {
			for i := range uint64(4) {
				data := codectest.Text(i, 500+int(i)*7000)
				var want, got bytes.Buffer
				if p.Backend == gzippool.Standard {
					z, err := gzip.NewWriterLevel(&want, level)
					if err != nil {
						t.Fatal(err)
					}
					use(t, z, data)
				} else {
					z, err := kgzip.NewWriterLevel(&want, level)
					if err != nil {
						t.Fatal(err)
					}
					z.ModTime = time.Unix(0, 0)
					use(t, z, data)
				}
				z, err := p.GetLevel(&got, level)
				if err != nil {
					t.Fatal(err)
				}
				use(t, z, data)
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("level %d, use %d: the bytes differ from those of a new writer", level, i)
				}
				if !bytes.Equal(gunzip(t, got.Bytes()), data) {
					t.Errorf("level %d, use %d: wrong contents", level, i)
				}
				out, err := p.AppendCompressLevel([]byte("before"), data, level)
				if err != nil || !bytes.HasPrefix(out, []byte("before")) || !bytes.Equal(gunzip(t, out[6:]), data) {
					t.Errorf("level %d, use %d: AppendCompressLevel: %v", level, i, err)
				}
				// The next one has to get rid of this.
				if z, err = p.GetLevel(io.Discard, level); err != nil {
					t.Fatal(err)
				}
				z.Name = "abandoned"
				z.Write(data)
				gzippool.Put(z)
			}
		}
	})
}

func TestLevelErrors(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, level := range []int{-1 << 30, -4, -3, -2, 9, 10, 1 << 30} {
			var want error
			if p.Backend == gzippool.Standard {
				_, want = gzip.NewWriterLevel(nil, level)
			} else {
				_, want = kgzip.NewWriterLevel(nil, level)
			}
			z, err := p.GetLevel(io.Discard, level)
			if fmt.Sprint(err) != fmt.Sprint(want) || (z == nil) != (want != nil) {
				t.Errorf("GetLevel(%d) = %v, %v; want error %v", level, z, err, want)
			}
			dst := []byte("kept")
			out, err := p.AppendCompressLevel(dst, []byte("x"), level)
			if fmt.Sprint(err) != fmt.Sprint(want) {
				t.Errorf("AppendCompressLevel(%d): %v; want %v", level, err, want)
			}
			if err != nil && string(out) != "kept" {
				t.Errorf("AppendCompressLevel(%d) changed dst to %q", level, out)
			}
		}
	})
}

func TestHeader(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		set := gzip.Header{Name: "n\u00e4me", Comment: "remark", Extra: []byte("ex"), ModTime: time.Unix(1e9, 0), OS: 3}
		for i := range 6 {
			want := gzip.Header{OS: 255}
			var b bytes.Buffer
			z := p.Get(&b)
			if !reflect.DeepEqual(z.Header, want) {
				t.Fatalf("use %d: new header %+v", i, z.Header)
			}
			if i%2 == 0 {
				want = set
				z.Header = set
			}
			z.Write([]byte("contents"))
			z.Name = "too late"
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			plain, err := gzip.NewReader(bytes.NewReader(b.Bytes()))
			if err != nil || !reflect.DeepEqual(plain.Header, want) {
				t.Errorf("use %d: wrote %+v, %v; want %+v", i, plain.Header, err, want)
			}
			r, err := p.GetReader(&b, 100)
			if err != nil || !reflect.DeepEqual(r.Header, want) {
				t.Errorf("use %d: read %+v, %v; want %+v", i, r.Header, err, want)
			}
			r.Close()
		}
		// Header errors are those of the standard library, and do not stay.
		for _, h := range []gzip.Header{{Name: "\u4e16"}, {Comment: "a\x00b"}, {Extra: make([]byte, 1<<17)}} {
			z, plain := p.Get(io.Discard), gzip.NewWriter(io.Discard)
			z.Header, plain.Header = h, h
			_, err := z.Write([]byte("x"))
			_, want := plain.Write([]byte("x"))
			if err == nil || err.Error() != want.Error() {
				t.Errorf("%+.20v: got %v, want %v", h, err, want)
			}
			if again := z.Close(); again == nil {
				t.Error("Close after a failed Write succeeded")
			}
			if out := p.AppendCompress(nil, []byte("y")); string(gunzip(t, out)) != "y" {
				t.Error("the error stayed")
			}
		}
	})
}

// sources are the kinds of reader that a Reader treats differently.
var sources = []struct {
	name string
	make func([]byte) io.Reader
}{
	{"bytes.Reader", func(b []byte) io.Reader { return bytes.NewReader(b) }},
	{"bytes.Buffer", func(b []byte) io.Reader { return bytes.NewBuffer(bytes.Clone(b)) }},
	{"strings.Reader", func(b []byte) io.Reader { return strings.NewReader(string(b)) }},
	{"bufio.Reader", func(b []byte) io.Reader { return bufio.NewReader(bytes.NewReader(b)) }},
	{"plain", func(b []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(b)} }},
	{"one byte", func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }},
	{"data with EOF", func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) }},
	{"byte reader", func(b []byte) io.Reader { return byteReader{bytes.NewReader(b)} }},
}

// byteReader is an io.ByteReader that no code knows.
type byteReader struct{ r *bytes.Reader }

func (b byteReader) Read(p []byte) (int, error) { return b.r.Read(p) }
func (b byteReader) ReadByte() (byte, error)    { return b.r.ReadByte() }

func readAll(p *gzippool.Pool, src io.Reader, limit int64) ([]byte, error) {
	z, err := p.GetReader(src, limit)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

func TestReader(t *testing.T) {
	data := codectest.Text(1, 40000)
	one := gzipped(data)
	two := append(bytes.Clone(one), gzipped([]byte("second"))...)
	empties := append(append(gzipped(nil), gzipped(nil)...), gzipped([]byte("x"))...)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, src := range sources {
			for range 3 {
				for _, in := range []struct {
					name string
					in   []byte
					want string
				}{
					{"one", one, string(data)},
					{"two", two, string(data) + "second"},
					{"empty members", empties, "x"},
					{"no data", gzipped(nil), ""},
				} {
					out, err := readAll(p, src.make(in.in), gzippool.NoLimit)
					if err != nil || string(out) != in.want {
						t.Errorf("%s of %s: %d bytes, %v", in.name, src.name, len(out), err)
					}
					var b bytes.Buffer
					n, err := p.Decompress(&b, src.make(in.in), int64(len(in.want)))
					if err != nil || n != int64(len(in.want)) || b.String() != in.want {
						t.Errorf("Decompress %s of %s: %d bytes, %v", in.name, src.name, n, err)
					}
				}
				if _, err := p.GetReader(src.make(nil), 10); err != io.EOF {
					t.Errorf("nothing of %s: %v, want EOF", src.name, err)
				}
			}
			if s := p.Stats(); s.Drops > 0 && s.News > 2 {
				t.Errorf("%s: good streams lost codecs: %+v", src.name, s)
			}
		}
	})
}

// Reading member by member leaves a ByteReader just behind each.
func TestMultistreamOff(t *testing.T) {
	in := append(append(gzipped([]byte("first")), gzipped([]byte("second"))...), "rest"...)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, src := range []interface {
			io.Reader
			io.ByteReader
		}{bytes.NewReader(in), bufio.NewReader(bytes.NewReader(in)), byteReader{bytes.NewReader(in)}} {
			z, err := p.GetReader(src, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"first", "second"} {
				z.Multistream(false)
				if out, err := io.ReadAll(z); err != nil || string(out) != want {
					t.Errorf("%T: got %q, %v; want %q", src, out, err, want)
				}
				if want == "first" {
					if err := z.Reset(src); err != nil {
						t.Fatal(err)
					}
				}
			}
			z.Close()
			if rest, _ := io.ReadAll(src); string(rest) != "rest" {
				t.Errorf("%T: left %q", src, rest)
			}
		}
	})
}

func TestReset(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		var a, b, c bytes.Buffer
		z := p.Get(&a)
		z.Name = "a"
		z.Write([]byte("lost"))
		z.Reset(&b)
		z.Write([]byte("in b"))
		z.Close()
		z.Reset(&c)
		z.Write([]byte("in c"))
		z.Close()
		if got := string(gunzip(t, b.Bytes())) + string(gunzip(t, c.Bytes())); got != "in bin c" {
			t.Errorf("got %q", got)
		}
		r, err := p.GetReader(&b, 4)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if out, err := io.ReadAll(r); err != nil || len(out) != 4 {
				t.Errorf("%q, %v", out, err)
			}
			r.Close()
			if err := r.Reset(strings.NewReader("no gzip at all")); !errors.Is(err, gzip.ErrHeader) {
				t.Errorf("Reset to garbage: %v", err)
			}
			if err := r.Reset(bytes.NewReader(gzipped([]byte("more")))); err != nil {
				t.Error(err)
			}
		}
	})
}

// Whatever is cut off or flipped gives the error that the standard library gives, and does
// not trouble the next user.
func TestDamagedInput(t *testing.T) {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	zw.Name, zw.Comment, zw.Extra = "name", "comment", []byte("extra")
	zw.Write(codectest.Text(1, 300))
	zw.Close()
	one := b.Bytes()
	stream := append(bytes.Clone(one), one...)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		check := func(what string, in []byte) {
			want, wantErr := []byte(nil), error(nil)
			if z, err := gzip.NewReader(bytes.NewReader(in)); err != nil {
				wantErr = err
			} else {
				want, wantErr = io.ReadAll(z)
			}
			for i, src := range sources {
				if i%4 != len(in)%4 {
					continue // each cut meets two of them
				}
				got, err := readAll(p, src.make(in), gzippool.NoLimit)
				same(t, what+" of "+src.name, got, want, err, wantErr)
			}
			got, err := p.AppendDecompress([]byte("dst"), in, 1<<20)
			if err != nil {
				if string(got) != "dst" {
					t.Errorf("%s: AppendDecompress left %q in dst", what, got)
				}
				got = []byte("dst" + string(want))
			}
			same(t, what+" appended", got[3:], want, err, wantErr)
			if got, err := p.AppendDecompress(nil, one, 300); err != nil || len(got) != 300 {
				t.Fatalf("after %s: %d bytes, %v", what, len(got), err)
			}
		}
		for n := range len(stream) {
			check(fmt.Sprintf("first %d of %d", n, len(one)), stream[:n])
		}
		for i := range len(one) {
			bad := bytes.Clone(stream)
			bad[i] ^= 0x10
			if i == 3 {
				continue // a flag that makes it shorter or longer: see FuzzDecompress
			}
			check(fmt.Sprintf("bit flipped in byte %d of %d", i, len(one)), bad)
		}
		check("garbage behind", append(bytes.Clone(one), "garbage"...))
		check("zeros behind", append(bytes.Clone(one), make([]byte, 20)...))
	})
}

// same compares a result with that of the standard library. Offsets in errors may
// differ, and how much came before them.
func same(t *testing.T, what string, got, want []byte, err, wantErr error) {
	t.Helper()
	var corrupt, wantCorrupt flate.CorruptInputError
	switch {
	case wantErr == nil:
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %d bytes, %v; want %d bytes", what, len(got), err, len(want))
		}
	case errors.As(wantErr, &wantCorrupt):
		// The other backend may read on for a while and miss the end or the checksum.
		if !errors.As(err, &corrupt) && err != io.ErrUnexpectedEOF && err != gzip.ErrChecksum {
			t.Errorf("%s: got error %v, want %v", what, err, wantErr)
		}
	case errors.As(err, &corrupt):
	case err != wantErr && !(wantErr == io.ErrUnexpectedEOF && err == gzip.ErrChecksum):
		t.Errorf("%s: got error %v, want %v", what, err, wantErr)
	}
}

func TestLimit(t *testing.T) {
	bomb := gzipped(make([]byte, 10<<20))
	data := codectest.Text(2, 5000)
	in := append(gzipped(data[:2000]), gzipped(data[2000:])...)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, limit := range []int{-5, 0, 1, 1999, 2000, 2001, 4999, 5000, 5001} {
			fits := limit >= len(data)
			for _, src := range sources {
				out, err := readAll(p, src.make(in), int64(limit))
				if fits != (err == nil) || fits != (len(out) == len(data)) || err != nil && !errors.Is(err, gzippool.ErrTooLarge) {
					t.Errorf("limit %d, %s: %d bytes, %v", limit, src.name, len(out), err)
				}
				if !bytes.HasPrefix(data, out) || !fits && len(out) != max(limit, 0) {
					t.Errorf("limit %d, %s: got %d bytes before the error", limit, src.name, len(out))
				}
			}
			out, err := p.AppendDecompress(nil, in, int64(limit))
			if fits != bytes.Equal(out, data) || fits != (err == nil) || err != nil && !errors.Is(err, gzippool.ErrTooLarge) {
				t.Errorf("limit %d: %d bytes, %v", limit, len(out), err)
			}
		}
		if s := p.Stats(); s.Drops > 0 {
			t.Errorf("limits cost codecs: %+v", s)
		}
		if _, err := p.AppendDecompress(nil, bomb, 1<<20); err == nil || !strings.Contains(err.Error(), "limit of 1048576 bytes") {
			t.Errorf("bomb: %v", err)
		}
		// Neither the bomb nor a length that is a lie takes memory.
		lie := gzipped([]byte("little"))
		copy(lie[len(lie)-4:], "\xff\xff\xff\x7f")
		for _, c := range []struct {
			in    []byte
			limit int
		}{{bomb, 64 << 10}, {lie, 64 << 10}, {lie, math.MaxInt}} {
			in := c.in
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 10 {
				if _, err := p.AppendDecompress(nil, in, int64(c.limit)); err == nil {
					t.Error("no error")
				}
			}
			runtime.ReadMemStats(&after)
			if n := (after.TotalAlloc - before.TotalAlloc) / 10; n > 400<<10 {
				t.Errorf("%d bytes of input made it allocate %d", len(in), n)
			}
		}
	})
}

// The codec is not the handle's any more after Close or Put.
func TestLateUse(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		var late []*gzippool.Writer
		for i := range 50 {
			var b bytes.Buffer
			z := p.Get(&b)
			for _, old := range late {
				if _, err := old.Write([]byte("intruder")); err != gzippool.ErrClosed { //spare:ignore use-after-put the subject of the test
					t.Fatalf("late Write: %v", err)
				}
				if err := old.Flush(); err != gzippool.ErrClosed {
					t.Fatalf("late Flush: %v", err)
				}
				old.Close()
				gzippool.Put(old)
			}
			other := p.Get(io.Discard) // must not be the same codec
			other.Write([]byte("other"))
			fmt.Fprintf(z, "use %d", i)
			if i%2 == 0 {
				gzippool.Put(other)
				gzippool.Put(other)
			} else {
				other.Close()
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal("second Close:", err)
			}
			if got := string(gunzip(t, b.Bytes())); got != fmt.Sprintf("use %d", i) {
				t.Fatalf("got %q", got)
			}
			late = append(late, z, other)
		}
		in := gzipped([]byte("contents"))
		var lateR []*gzippool.Reader
		for range 20 {
			z, err := p.GetReader(bytes.NewReader(in), 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, old := range lateR {
				if _, err := old.Read(make([]byte, 5)); err != gzippool.ErrClosed { //spare:ignore use-after-put the subject of the test
					t.Fatalf("late Read: %v", err)
				}
				old.Multistream(false)
				old.Close()
				gzippool.PutReader(old)
			}
			if out, err := io.ReadAll(z); err != nil || string(out) != "contents" {
				t.Fatalf("%q, %v", out, err)
			}
			z.Close()
			lateR = append(lateR, z)
		}
		gzippool.Put(nil)
		gzippool.PutReader(nil)
		if _, err := new(gzippool.Writer).Write(nil); err != gzippool.ErrClosed {
			t.Error(err)
		}
		if s := p.Stats(); s.News > 3+2 && !codectest.Inexact {
			t.Errorf("codecs were not reused: %+v", s)
		}
	})
}

// A Read that is under way elsewhere when Close comes cannot meet the next user.
func TestConcurrentClose(t *testing.T) {
	in := gzipped(codectest.Text(3, 200000))
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for range 30 {
			z, err := p.GetReader(bytes.NewReader(in), gzippool.NoLimit)
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			wg.Go(func() {
				if _, err := io.Copy(io.Discard, z); err != nil && err != gzippool.ErrClosed {
					t.Error(err)
				}
			})
			runtime.Gosched()
			z.Close()
			if out, err := p.AppendDecompress(nil, in, 200000); err != nil || len(out) != 200000 {
				t.Errorf("%d, %v", len(out), err)
			}
			wg.Wait()
		}
	})
}

func TestWriteError(t *testing.T) {
	data := codectest.Text(5, 100000)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, n := range []int{0, 5, 10, 100, 5000} {
			z := p.Get(&codectest.BrokenWriter{N: n})
			_, err := z.Write(data)
			if err == nil {
				err = z.Flush()
			}
			if err != codectest.ErrBroken {
				t.Errorf("after %d bytes: %v", n, err)
			}
			if err := z.Close(); err != codectest.ErrBroken {
				t.Errorf("after %d bytes: Close: %v", n, err)
			}
			if err := z.Close(); err != codectest.ErrBroken {
				t.Errorf("after %d bytes: second Close: %v", n, err)
			}
			if _, err := p.Compress(&codectest.BrokenWriter{N: n}, bytes.NewReader(data)); err != codectest.ErrBroken {
				t.Errorf("after %d bytes: Compress: %v", n, err)
			}
			if out := p.AppendCompress(nil, data); !bytes.Equal(gunzip(t, out), data) {
				t.Errorf("after %d bytes: the next stream is wrong", n)
			}
		}
		if s := p.Stats(); s.Drops < 10 {
			t.Errorf("10 codecs failed, %d were dropped", s.Drops)
		}
	})
}

func TestReadError(t *testing.T) {
	in := gzipped(codectest.Text(5, 100000))
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for _, n := range []int{0, 5, 10, 100, len(in)} {
			src := func() io.Reader {
				return io.MultiReader(bytes.NewReader(in[:n]), iotest.ErrReader(codectest.ErrBroken))
			}
			if _, err := readAll(p, src(), gzippool.NoLimit); err != codectest.ErrBroken {
				t.Errorf("after %d bytes: %v", n, err)
			}
			if _, err := readAll(p, bufio.NewReader(src()), gzippool.NoLimit); err != codectest.ErrBroken {
				t.Errorf("after %d bytes of a bufio.Reader: %v", n, err)
			}
			if _, err := p.Compress(io.Discard, src()); err != codectest.ErrBroken {
				t.Errorf("after %d bytes: Compress: %v", n, err)
			}
			if out, err := p.AppendDecompress(nil, in, 100000); err != nil || len(out) != 100000 {
				t.Fatalf("after %d bytes: %d, %v", n, len(out), err)
			}
		}
	})
}

// A panic in the user's writer or reader costs that codec, and nothing else.
func TestPanic(t *testing.T) {
	data := codectest.Text(5, 100000)
	in := gzipped(data)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		good := func(when string) {
			t.Helper()
			if out := p.AppendCompress(nil, data); !bytes.Equal(gunzip(t, out), data) {
				t.Errorf("after %s: the next stream is wrong", when)
			}
			if out, err := p.AppendDecompress(nil, in, int64(len(data))); err != nil || !bytes.Equal(out, data) {
				t.Errorf("after %s: %v", when, err)
			}
		}
		good("nothing")
		for _, n := range []int{0, 12, 5000} {
			for _, after := range []func(z *gzippool.Writer){
				func(z *gzippool.Writer) {},
				func(z *gzippool.Writer) { gzippool.Put(z) },
				func(z *gzippool.Writer) {
					if z.Close() == nil {
						t.Error("Close after a panic succeeded")
					}
				},
				func(z *gzippool.Writer) {
					var b bytes.Buffer
					z.Reset(&b)
					z.Write(data)
					if err := z.Close(); err != nil || !bytes.Equal(gunzip(t, b.Bytes()), data) {
						t.Error("Reset after a panic:", err)
					}
				},
			} {
				z := p.Get(&codectest.BrokenWriter{N: n, Panic: true})
				if v := codectest.Caught(func() { defer after(z); z.Write(data); z.Close() }); v != codectest.ErrBroken {
					t.Errorf("the panic came as %v", v)
				}
				good("a panicking writer")
			}
		}
		for _, n := range []int{0, 5, 12, 200} {
			r := codectest.PanicReader{R: bytes.NewReader(in[:n])}
			v := codectest.Caught(func() {
				z, err := p.GetReader(r, gzippool.NoLimit)
				if err != nil {
					t.Error(err)
				}
				defer func() {
					if _, err := z.Read(make([]byte, 1)); err == nil {
						t.Error("Read after a panic succeeded")
					}
					z.Close()
				}()
				io.Copy(io.Discard, z)
			})
			if v != codectest.ErrBroken {
				t.Errorf("the panic came as %v", v)
			}
			good("a panicking reader")
			if v := codectest.Caught(func() { p.Decompress(io.Discard, r, 10) }); v != codectest.ErrBroken {
				t.Errorf("the panic came as %v", v)
			}
			good("a panicking reader")
		}
	})
}

// big is larger than what the allocator packs together with other values.
type big struct {
	bytes.Buffer
	_ [64]byte
}

// Idle codecs hold nothing of their last user's.
func TestIdleCodecsHoldNothing(t *testing.T) {
	data := codectest.Text(7, 3000)
	in := gzipped(data)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
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
			z := p.Get(track("writer of a closed stream", new(big)))
			z.Extra = trackBytes("Extra", make([]byte, 100))
			z.Write(trackBytes("data of Write", bytes.Clone(data)))
			z.Close()
			z = p.Get(track("writer of an abandoned stream", new(big)))
			z.Write(data)
			gzippool.Put(z)
			z = p.Get(track("writer of an unused codec", new(big)))
			gzippool.Put(z)
			trackBytes("dst of AppendCompress", p.AppendCompress(nil, trackBytes("src of AppendCompress", bytes.Clone(data))))
			out, err := p.AppendDecompress(nil, trackBytes("src of AppendDecompress", bytes.Clone(in)), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			trackBytes("dst of AppendDecompress", out)
			packed, plain := track("writer of Compress", new(big)), track("reader of Compress", new(big))
			plain.Write(data)
			if _, err := p.Compress(packed, plain); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Decompress(track("writer of Decompress", new(big)), track("reader of Decompress", &big{Buffer: packed.Buffer}), 1<<20); err != nil {
				t.Fatal(err)
			}

			for i, wrap := range []func(*big) io.Reader{
				func(b *big) io.Reader { return &b.Buffer },
				func(b *big) io.Reader { return bufio.NewReader(&b.Buffer) },
				func(b *big) io.Reader { return struct{ io.Reader }{&b.Buffer} },
				func(b *big) io.Reader { return b },
			} {
				for _, n := range []int{0, 10, 5000} {
					b := track(fmt.Sprintf("reader %d after %d bytes", i, n), new(big))
					b.Write(in)
					z, err := p.GetReader(wrap(b), 1<<20)
					if err != nil {
						t.Fatal(err)
					}
					io.CopyN(io.Discard, z, int64(n))
					z.Close()
				}
			}
		}()
		if s := p.Stats(); s.Idle == 0 {
			t.Fatalf("nothing is idle: %+v", s)
		}
		for name := range codectest.Alive(refs) {
			t.Errorf("an idle codec holds the %s", name)
		}
		if s := p.Stats(); s.Idle == 0 {
			t.Errorf("the codecs themselves are gone: %+v", s)
		}
		runtime.KeepAlive(p)
	})
}

// Results stay as they are when their codecs serve others.
func TestResultsDoNotAlias(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		var outs, ins [][]byte
		for i := range uint64(30) {
			data := codectest.Text(i, 1+int(i)*997)
			out := p.AppendCompress(nil, data)
			in, err := p.AppendDecompress(nil, out, int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			outs, ins = append(outs, out), append(ins, in)
		}
		for i := range outs {
			want := codectest.Text(uint64(i), 1+i*997)
			if !bytes.Equal(gunzip(t, outs[i]), want) || !bytes.Equal(ins[i], want) {
				t.Errorf("result %d changed", i)
			}
		}
	})
}

func TestConcurrent(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		var wg sync.WaitGroup
		for g := range uint64(8) {
			wg.Go(func() {
				for i := range uint64(30) {
					data := codectest.Text(g*1000+i, 100+int(i)*300)
					var b bytes.Buffer
					n, err := p.Compress(&b, bytes.NewReader(data))
					if err != nil || n != int64(len(data)) {
						t.Errorf("Compress: %d, %v", n, err)
					}
					out, err := p.AppendDecompress(nil, b.Bytes(), int64(len(data)))
					if err != nil || !bytes.Equal(out, data) {
						t.Errorf("goroutine %d, use %d: wrong contents, %v", g, i, err)
					}
				}
			})
		}
		wg.Wait()
	})
}

// A codec may be made in a bubble and used outside, and the other way round.
func TestSynctest(t *testing.T) {
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		work := func(t *testing.T) {
			out := p.AppendCompress(nil, []byte("bubble"))
			if in, err := p.AppendDecompress(nil, out, 10); err != nil || string(in) != "bubble" {
				t.Error(in, err)
			}
		}
		synctest.Test(t, work)
		work(t)
		synctest.Test(t, work)
	})
}

func TestAllocs(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	data := codectest.Text(1, 2000)
	in := gzipped(data)
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		dst := make([]byte, 0, 8000)
		src := bytes.NewReader(in)
		var one io.Reader = struct{ io.Reader }{src}
		for _, c := range []struct {
			name string
			want float64
			f    func()
		}{
			{"Get, Write, Close", 0, func() { z := p.Get(io.Discard); z.Write(data); z.Close() }},
			{"GetLevel", 1, func() { z, _ := p.GetLevel(io.Discard, gzippool.BestSpeed); z.Write(data); z.Close() }},
			{"AppendCompress", 0, func() { p.AppendCompress(dst, data) }},
			{"AppendCompress to nil", 1, func() { p.AppendCompress(nil, data) }},
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
		if p.Backend == gzippool.Klauspost {
			c := func() {
				src.Reset(in)
				z, _ := p.GetReader(one, 8000)
				z.Read(dst[:4000])
				z.Close()
			}
			c()
			if got := testing.AllocsPerRun(100, c); got != 1 {
				t.Errorf("GetReader of a plain reader: %v allocations, want 1", got)
			}
		}
	})
}

// After any number of collections, codecs that are in use are still there.
func TestCollections(t *testing.T) {
	if codectest.Inexact {
		t.Skip("counts are not exact in this build")
	}
	eachBackend(t, func(t *testing.T, p *gzippool.Pool) {
		for range 30 {
			p.AppendDecompress(nil, p.AppendCompress(nil, []byte("x")), 1)
			runtime.GC()
		}
		// Each P may have its own.
		if s := p.Stats(); s.Gets != 60 || s.News > uint64(2*runtime.GOMAXPROCS(0)) {
			t.Errorf("made again over 30 collections: %+v", s)
		}
	})
}

// longCodes returns an empty stream whose codes need the largest tables: as many as can be
// of more than 9 bits, in as many groups, and one of 15 bits.
func longCodes() []byte {
	const prefixes = 136 // of 9 bits, out of 512
	lengths := []int{10, 11, 12, 13, 14, 15, 15}
	for range prefixes - 1 {
		lengths = append(lengths, 10, 10)
	}
	short := []int{1, 3, 4, 5, 6} // the other 376 of 512
	for len(lengths)+len(short) < 286 {
		last := len(short) - 1
		short[last]++
		short = append(short, short[last])
	}
	lengths = append(lengths, short...)
	// The canonical code of the end of the block, which is symbol 256.
	code := 0
	for n := 1; n <= lengths[256]; n++ {
		code <<= 1
		for i, l := range lengths {
			if l == n && (n < lengths[256] || i < 256) {
				code++
			}
		}
	}
	var bits []byte // one each
	put := func(v, n int) {
		for i := range n {
			bits = append(bits, byte(v>>i&1))
		}
	}
	putCode := func(v, n int) { // the other way round
		for i := n - 1; i >= 0; i-- {
			bits = append(bits, byte(v>>i&1))
		}
	}
	put(1|2<<1, 3) // the last block, with codes of its own
	put(286-257, 5)
	put(2-1, 5)
	put(19-4, 4)
	for i := range 19 { // the lengths have 4 bits each; 16 to 18, which come first, do not occur
		put(4*min(1, i/3), 3)
	}
	for _, l := range append(lengths, 1, 1) {
		putCode(l, 4)
	}
	putCode(code, lengths[256])
	out := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	for i, b := range bits {
		if i%8 == 0 {
			out = append(out, 0)
		}
		out[len(out)-1] |= b << (i % 8)
	}
	return append(out, 0, 0, 0, 0, 0, 0, 0, 0)
}

// What a pool says that its idle codecs hold is what lives because of them or, by some
// kilobytes, more: whatever was compressed, and wherever a stream was left.
func TestSizes(t *testing.T) {
	if codectest.Inexact {
		t.Skip("allocations are not exact in this build")
	}
	codectest.Collect()
	check := func(p *gzippool.Pool, slack int, what string, use func() error) {
		t.Helper()
		if err := use(); err != nil {
			t.Fatal(err)
		}
		said, held := int(p.Stats().IdleBytes), codectest.Held(p.Drain)
		const noise = 4 << 10 // of the test itself
		if said < held-noise || said > held*13/10+slack {
			t.Errorf("%v, %s: IdleBytes is %d, what lives is %d", p.Backend, what, said, held)
		}
	}
	kinds := codectest.Kinds(300000)
	kinds["long codes"] = nil
	for kind, data := range kinds {
		packed := gzipped(data)
		if data == nil {
			packed = longCodes()
		}
		for _, b := range []gzippool.Backend{gzippool.Klauspost, gzippool.Standard} {
			codectest.Collect() // the buffer of Decompress, which is no codec's
			// StatelessCompression borrows its tables within each call.
			for level := gzippool.HuffmanOnly; level <= gzippool.BestCompression; level++ {
				for _, n := range []int{200, len(data)} {
					if n > len(data) || n == 0 {
						continue
					}
					p := gzippool.Pool{Backend: b}
					check(&p, 16<<10, fmt.Sprintf("level %d, %d bytes of %s", level, n, kind), func() error {
						z, err := p.GetLevel(io.Discard, level)
						if err != nil {
							return err
						}
						z.Write(data[:n])
						return z.Close()
					})
				}
			}
			for _, limit := range []int64{0, 1000, gzippool.NoLimit} {
				for name, in := range map[string]io.Reader{
					"bytes":  bytes.NewReader(packed),
					"stream": struct{ io.Reader }{bytes.NewReader(packed)},
				} {
					p := gzippool.Pool{Backend: b}
					check(&p, 60<<10, fmt.Sprintf("%s of %s, limit %d", name, kind, limit), func() error {
						_, err := p.Decompress(io.Discard, in, limit)
						if errors.Is(err, gzippool.ErrTooLarge) {
							err = nil
						}
						return err
					})
				}
			}
		}
	}
}

// MaxIdle is what idle codecs of a kind hold at most.
func TestMaxIdle(t *testing.T) {
	p := gzippool.Pool{MaxIdle: 3 << 20}
	var zs []*gzippool.Writer
	for range 10 {
		zs = append(zs, p.Get(io.Discard))
	}
	for _, z := range zs {
		z.Close()
		if s := p.Stats(); s.IdleBytes > 3<<20 {
			t.Fatalf("more than MaxIdle: %+v", s)
		}
	}
	if s := p.Stats(); s.Idle != 2 && !codectest.Inexact {
		t.Errorf("compressors of 1186 KiB: %+v", s)
	}
}
