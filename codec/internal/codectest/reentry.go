// SPDX-License-Identifier: BSD-3-Clause

package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spare-go/spare"
)

// A Handle is a Writer or a Reader of a codec, by its methods. Those that the codec does not
// have are nil.
type Handle struct {
	Read        func([]byte) (int, error)
	Write       func([]byte) (int, error)
	Flush       func() error
	Close       func() error
	Put         func()
	ResetReader func(io.Reader) error
	ResetWriter func(io.Writer)
	Multistream func(bool)
}

// A Codec is what TestReentry tests. Each Codec has a pool of its own.
type Codec struct {
	Writer     func(io.Writer) Handle
	Reader     func(io.Reader) (Handle, error)
	Compress   func([]byte) []byte
	Decompress func([]byte) ([]byte, error)
	Stats      func() spare.Stats
	Closed     error // of late use
}

// TestReentry calls the methods of a handle where the user's code has control while another
// call is under way: in the reader or writer behind it, and on other goroutines while that
// blocks. Nothing waits, and no codec gets two users or is lost.
func TestReentry(t *testing.T, newCodec func() Codec) {
	t.Run("reader", func(t *testing.T) { testReaders(t, newCodec) })
	t.Run("writer", func(t *testing.T) { testWriters(t, newCodec) })
	t.Run("elsewhere", func(t *testing.T) { testElsewhere(t, newCodec()) })
	t.Run("storm", func(t *testing.T) { testStorm(t, newCodec()) })
}

// returns fails the test if f does not return.
func returns(t *testing.T, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not return")
	}
}

// check uses c as the next users do, two at a time, and looks whether all codecs came back.
func (c *Codec) check(t *testing.T) {
	t.Helper()
	var sinks [2]bytes.Buffer
	a, b := c.Writer(&sinks[0]), c.Writer(&sinks[1])
	for i := range 20 {
		a.Write(Text(uint64(i), 1000))
		b.Write(Text(uint64(100+i), 1000))
	}
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	ra, errA := c.Reader(struct{ io.Reader }{&sinks[0]})
	rb, errB := c.Reader(struct{ io.Reader }{&sinks[1]})
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	var p [1000]byte
	for i := range 20 {
		for k, r := range []Handle{ra, rb} {
			if _, err := io.ReadFull(readFunc(r.Read), p[:]); err != nil || !bytes.Equal(p[:], Text(uint64(100*k+i), 1000)) {
				t.Fatalf("the next user of codec %d reads something else: %v", k, err)
			}
		}
	}
	ra.Close()
	rb.Close()
	if s := c.Stats(); s.Gets != s.Puts {
		t.Errorf("%d codecs were lent, %d came back", s.Gets, s.Puts)
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func testReaders(t *testing.T, newCodec func() Codec) {
	c := newCodec()
	plain := Text(1, 60000)
	packed := c.Compress(plain)
	other := c.Compress([]byte("other"))
	ends := map[string]bool{"Close": true, "Close twice": true, "Put": true, "Close and Get": true, "ResetReader": true}
	actions := func(h *Handle) map[string]func() {
		as := map[string]func(){
			"Close":       func() { h.Close() },
			"Close twice": func() { h.Close(); h.Close() },
			"Put":         func() { h.Put() },
			"Read": func() {
				if n, err := h.Read(make([]byte, 10)); n != 0 || err == nil {
					t.Errorf("a Read within a Read: %d, %v", n, err)
				}
			},
			"Close and Get": func() {
				h.Close()
				if out, err := c.Decompress(other); err != nil || string(out) != "other" {
					t.Errorf("another stream: %q, %v", out, err)
				}
			},
		}
		if h.ResetReader != nil {
			as["ResetReader"] = func() {
				if err := h.ResetReader(bytes.NewReader(other)); err != nil {
					t.Error(err)
				}
			}
			as["Multistream"] = func() { h.Multistream(true) }
		}
		return as
	}
	sample, err := c.Reader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	sample.Close()
	for _, end := range []error{nil, io.EOF, ErrBroken} { // how a source ends: all is there, or cut off
		for _, when := range []int{1, 2, 5, -1} { // at which of its calls it acts; -1: the last
			for name := range actions(&sample) {
				t.Run(fmt.Sprintf("%s in call %d, then %v", name, when, end), func(t *testing.T) {
					var h Handle
					armed, calls := false, 0
					src := bytes.NewReader(packed)
					if end != nil {
						src = bytes.NewReader(packed[:len(packed)-10])
					}
					source := readFunc(func(p []byte) (int, error) {
						n, err := src.Read(p[:min(len(p), 500)])
						if armed {
							calls++
							if last := err != nil; calls == when || last && when < 0 {
								armed = false
								actions(&h)[name]()
							}
						}
						if err == io.EOF && end != nil {
							err = end
						}
						return n, err
					})
					returns(t, func() {
						var err error
						if h, err = c.Reader(source); err != nil {
							t.Error(err)
							return
						}
						armed = true
						at, since := 0, 0 // since the source acted, with the call in which it did
						p := make([]byte, 1000)
						for err == nil {
							var n int
							n, err = h.Read(p)
							if !armed {
								since++
							}
							if string(p[:n]) == "other" {
								break
							}
							if at+n > len(plain) || !bytes.Equal(p[:n], plain[at:at+n]) {
								t.Errorf("after %d bytes: not what was compressed", at)
							}
							at += n
						}
						switch whole := err == io.EOF && at == len(plain); {
						case armed:
							if when > 0 {
								t.Errorf("the source was not called %d times", when)
							}
						case name == "ResetReader":
							// It was read just now, or is still to come.
							if n, err := h.Read(p); n != 0 && string(p[:n]) != "other" || err != nil && err != io.EOF {
								t.Errorf("the other stream: %q, %v", p[:n], err)
							}
						case ends[name] && since > 1 && err != c.Closed && !(whole && when < 0):
							t.Errorf("Read after %s: %v", name, err)
						case !ends[name] && !whole && end == nil:
							t.Errorf("%d bytes, %v", at, err)
						}
						if err := h.Close(); err != nil {
							t.Error(err)
						}
						if _, err := h.Read(p); err != c.Closed {
							t.Errorf("Read after Close: %v", err)
						}
					})
					c.check(t)
				})
			}
		}
	}
}

func testWriters(t *testing.T, newCodec func() Codec) {
	c := newCodec()
	plain := Kinds(200000)["noise"] // more than a block of zstd
	ends := map[string]bool{"Close": true, "Close twice": true, "Put": true, "Close and Get": true, "ResetWriter": true}
	actions := func(h *Handle, second io.Writer) map[string]func() {
		as := map[string]func(){
			"Close":       func() { h.Close() },
			"Close twice": func() { h.Close(); h.Close() },
			"Put":         func() { h.Put() },
			"Write": func() {
				if n, err := h.Write([]byte("more")); n != 0 || err == nil {
					t.Errorf("a Write within a Write: %d, %v", n, err)
				}
			},
			"Flush": func() {
				if h.Flush() == nil {
					t.Error("a Flush within a Write has no error")
				}
			},
			"Close and Get": func() {
				h.Close()
				if out, err := c.Decompress(c.Compress(plain[:100])); err != nil || !bytes.Equal(out, plain[:100]) {
					t.Errorf("another stream: %v", err)
				}
			},
		}
		if h.ResetWriter != nil {
			as["ResetWriter"] = func() { h.ResetWriter(second) }
		}
		return as
	}
	sample := c.Writer(io.Discard)
	sample.Close()
	for _, fail := range []error{nil, ErrBroken} {
		for _, when := range []int{1, 2, -1} { // at which call of the sink it acts; -1: within Close
			for name := range actions(&sample, nil) {
				t.Run(fmt.Sprintf("%s in call %d, then %v", name, when, fail), func(t *testing.T) {
					var h Handle
					var first, second bytes.Buffer
					calls, closing, done := 0, false, false
					sink := writeFunc(func(p []byte) (int, error) {
						calls++
						if act := calls == when || closing && when < 0; act && !done {
							done = true
							actions(&h, &second)[name]()
							if fail != nil {
								return 0, fail
							}
						}
						return first.Write(p)
					})
					returns(t, func() {
						h = c.Writer(sink)
						var err error
						for at := 0; at < len(plain) && err == nil && !(done && name == "ResetWriter"); at += 10000 {
							_, err = h.Write(plain[at : at+10000])
						}
						if err == nil {
							err = h.Flush()
						}
						if when > 0 {
							if want := fail != nil || ends[name]; want != (err != nil) && name != "ResetWriter" || fail != nil && name != "ResetWriter" && err != fail {
								t.Errorf("the call in which it was: %v", err)
							}
						}
						closing = true
						err = h.Close()
						if !done {
							t.Fatal("the sink was not called")
						}
						if again := h.Close(); again != err && name != "ResetWriter" {
							t.Errorf("Close: %v, and then %v", err, again)
						}
						switch {
						case name == "ResetWriter":
						case when < 0 && err != fail:
							t.Errorf("Close: %v", err)
						case when > 0 && (fail != nil || ends[name]) != (err != nil):
							t.Errorf("Close: %v", err)
						case err == nil:
							if out, err := c.Decompress(first.Bytes()); err != nil || !bytes.Equal(out, plain) {
								t.Errorf("the stream: %d bytes, %v", len(out), err)
							}
						}
						if name == "ResetWriter" && when < 0 {
							h.Write(plain[:10]) // the first Close was for the first stream
							h.Close()
						}
						if _, err := h.Write(nil); err != c.Closed {
							t.Errorf("Write after Close: %v", err)
						}
					})
					c.check(t)
				})
			}
		}
	}
}

// testElsewhere ends turns on other goroutines, while the source or the sink blocks.
func testElsewhere(t *testing.T, c Codec) {
	plain := Kinds(300000)["noise"]
	packed := c.Compress(plain)
	for name, end := range map[string]func(*Handle){
		"Close": func(h *Handle) { h.Close() },
		"Put":   func(h *Handle) { h.Put() },
	} {
		t.Run("reader, "+name, func(t *testing.T) {
			src := bytes.NewReader(packed)
			blocked, gone := make(chan bool), make(chan bool)
			var at atomic.Int64
			h, err := c.Reader(readFunc(func(p []byte) (int, error) {
				if at.Add(1) == 3 {
					close(blocked)
					<-gone
				}
				return src.Read(p[:min(len(p), 5000)])
			}))
			if err != nil {
				t.Fatal(err)
			}
			read := make(chan error)
			go func() {
				at.Store(1)
				out, err := io.ReadAll(readFunc(h.Read))
				if !bytes.HasPrefix(plain, out) {
					err = errors.New("not what was compressed")
				}
				read <- err
			}()
			<-blocked
			before := c.Stats()
			returns(t, func() { end(&h) })
			if s := c.Stats(); s.Puts != before.Puts {
				t.Error("the codec came back while it was in use")
			}
			if out, err := c.Decompress(packed); err != nil || !bytes.Equal(out, plain) { // of another user
				t.Error(err)
			}
			close(gone)
			if err := <-read; err != c.Closed {
				t.Errorf("Read: %v", err)
			}
			c.check(t)
		})
		t.Run("writer, "+name, func(t *testing.T) {
			blocked, gone := make(chan bool), make(chan bool)
			var once sync.Once
			h := c.Writer(writeFunc(func(p []byte) (int, error) {
				once.Do(func() { close(blocked); <-gone })
				return len(p), nil
			}))
			wrote := make(chan error)
			go func() {
				var err error
				for err == nil {
					_, err = h.Write(plain)
				}
				wrote <- err
			}()
			<-blocked
			before := c.Stats()
			returns(t, func() { end(&h) })
			if s := c.Stats(); s.Puts != before.Puts {
				t.Error("the codec came back while it was in use")
			}
			if out, err := c.Decompress(c.Compress(plain)); err != nil || !bytes.Equal(out, plain) {
				t.Error(err)
			}
			close(gone)
			if err := <-wrote; err != c.Closed {
				t.Errorf("Write: %v", err)
			}
			if h.Close() == nil {
				t.Error("Close of a stream that was cut off: no error")
			}
			c.check(t)
		})
	}
}

// testStorm ends turns at any time, again and again, by several goroutines at once, and lets
// late users try.
func testStorm(t *testing.T, c Codec) {
	plain := Text(1, 50000)
	packed := c.Compress(plain)
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(g, 1))
			var late []Handle
			for range 40 {
				h, err := c.Reader(struct{ io.Reader }{bytes.NewReader(packed)})
				if err != nil {
					t.Error(err)
					return
				}
				var others sync.WaitGroup
				for range r.IntN(3) {
					n := r.IntN(2000)
					others.Go(func() {
						for range n {
							if h.Multistream != nil {
								h.Multistream(true)
							}
						}
						h.Close()
					})
				}
				out, err := io.ReadAll(readFunc(h.Read))
				if !bytes.HasPrefix(plain, out) || err == nil && len(out) != len(plain) || err != nil && err != c.Closed {
					t.Errorf("%d bytes, %v", len(out), err)
				}
				for _, l := range late {
					if n, err := l.Read(make([]byte, 10)); n != 0 || err != c.Closed {
						t.Errorf("late Read: %d, %v", n, err)
					}
					l.Close()
				}
				others.Wait()
				h.Close()
				late = append(late[max(0, len(late)-5):], h)
			}
		})
	}
	wg.Wait()
	c.check(t)
}
