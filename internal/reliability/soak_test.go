// SPDX-License-Identifier: BSD-3-Clause

package reliability

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/internal/race"
	"github.com/spare-go/spare/pooltest"
)

// maxBody is what the soak's server accepts, once decompressed.
const maxBody = 1 << 20

// A soakServer answers with the contents of a compressed body, twice, and takes
// all the memory for that from pools.
type soakServer struct {
	readers spare.Pool[gzip.Reader]
	chunks  spare.Slices[byte]
	tooBig  atomic.Int64
	serving atomic.Int64 // handlers that run
}

func (s *soakServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serving.Add(1)
	defer s.serving.Add(-1)
	z := s.readers.Get()
	defer s.readers.Put(z)
	if err := z.Reset(r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body := buffer.Get()
	defer body.Release()
	switch n, err := body.ReadFrom(io.LimitReader(z, maxBody+1)); {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case n > maxBody:
		s.tooBig.Add(1)
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	out := s.chunks.Get(0)
	defer func() { s.chunks.Put(out) }()
	out = append(append(out, body.Bytes()...), body.Bytes()...)
	if _, err := w.Write(out); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// soakTime is SPARE_SOAK, or some seconds.
func soakTime(t *testing.T) time.Duration {
	t.Helper()
	s := os.Getenv("SPARE_SOAK")
	switch {
	case s != "":
	case testing.Short():
		return 500 * time.Millisecond
	default:
		return 5 * time.Second
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatalf("SPARE_SOAK: %v", err)
	}
	return d
}

// TestSoak serves clients that behave, stall, abort and send bombs. No answer may hold what
// belongs to another, every value has to come back, and memory must not grow.
func TestSoak(t *testing.T) {
	pooltest.OnMisuse(t, nil)
	s := &soakServer{readers: spare.Pool[gzip.Reader]{New: func() *gzip.Reader { return new(gzip.Reader) }}}
	pooltest.Leaks(t, &s.readers, &s.chunks)
	server := httptest.NewUnstartedServer(s)
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close) // before Leaks looks
	client := server.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 16

	bomb := compressed(make([]byte, 64<<20))
	goroutines := runtime.NumGoroutine()
	var answers, stalls, aborts, bombs, mismatches atomic.Int64
	length := soakTime(t)
	var peaks, rests [2]uint64
	for half := range 2 {
		stop := time.Now().Add(length / 2)
		over := func() bool { return time.Now().After(stop) || mismatches.Load() > 0 }
		var clients sync.WaitGroup
		for id := range uint64(6) {
			clients.Go(func() {
				r := rand.New(rand.NewPCG(id, uint64(half)))
				for !over() {
					want := make([]byte, 1+r.IntN(1<<(3+r.IntN(14))))
					for i := range want {
						want[i] = byte(id) ^ byte(r.Uint32())
					}
					resp, err := client.Post(server.URL, "", bytes.NewReader(compressed(want)))
					if err != nil {
						continue // a connection that the server closed on us
					}
					got, err := io.ReadAll(resp.Body)
					resp.Body.Close()
					if err != nil || resp.StatusCode != http.StatusOK {
						continue // it timed out on a busy machine
					}
					if !bytes.Equal(got, append(want, want...)) {
						mismatches.Add(1)
						t.Errorf("an answer of %d bytes, crc %08x, to a request of %d", len(got), crc32.ChecksumIEEE(got), len(want))
					}
					answers.Add(1)
				}
			})
		}
		clients.Go(func() { // stalls in the middle of the body until the server gives up
			for !over() {
				c, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
				if err != nil {
					continue
				}
				body := compressed(bytes.Repeat([]byte("stall"), 10_000))
				fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:len(body)/2])
				c.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
				io.Copy(io.Discard, c)
				c.Close()
				stalls.Add(1)
			}
		})
		clients.Go(func() { // goes away at some moment
			r := rand.New(rand.NewPCG(99, 1))
			body := compressed(bytes.Repeat([]byte("abort"), 100_000))
			for !over() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(3000))*time.Microsecond)
				req, _ := http.NewRequestWithContext(ctx, "POST", server.URL, bytes.NewReader(body))
				if resp, err := client.Do(req); err == nil {
					io.CopyN(io.Discard, resp.Body, int64(r.IntN(1000)))
					resp.Body.Close()
				} else if errors.Is(err, context.DeadlineExceeded) {
					aborts.Add(1)
				}
				cancel()
			}
		})
		clients.Go(func() {
			for !over() {
				if resp, err := client.Post(server.URL, "", bytes.NewReader(bomb)); err == nil {
					resp.Body.Close()
					bombs.Add(1)
				}
				time.Sleep(20 * time.Millisecond)
			}
		})

		for !over() {
			time.Sleep(length / 40)
			peaks[half] = max(peaks[half], heapAfterGC())
		}
		clients.Wait()
		client.CloseIdleConnections()
		for s.serving.Load() > 0 {
			time.Sleep(time.Millisecond)
		}
		// A pool that nobody uses lets everything go within some collections.
		rests[half] = heapAfterGC()
		for range 30 {
			time.Sleep(5 * time.Millisecond)
			rests[half] = min(rests[half], heapAfterGC())
		}
	}
	if answers.Load() == 0 || stalls.Load() == 0 || aborts.Load() == 0 || s.tooBig.Load() == 0 {
		t.Errorf("%d answers, %d stalls, %d aborts, %d bombs: something did not happen", answers.Load(), stalls.Load(), aborts.Load(), s.tooBig.Load())
	}
	if !pooltest.Checked && !race.Enabled { // both remember what is no more
		if rests[1] > rests[0]+1<<20 {
			t.Errorf("the heap at rest grew from %d to %d bytes", rests[0], rests[1])
		}
		// What the handlers of all clients may hold at a time, several times
		// over; without reuse the soak allocates that every tenth of a second.
		if most := max(peaks[0], peaks[1]); most > 256<<20 {
			t.Errorf("the heap reached %d bytes", most)
		}
	}
	for i := 0; runtime.NumGoroutine() > goroutines+20 && i < 2000; i++ {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines+20 {
		t.Errorf("%d goroutines after the soak, %d before", n, goroutines)
	}
	text := fmt.Sprintf("%v of HTTP: %d right answers, %d wrong; %d clients stalled, %d went away, %d bombs of 64 MiB were refused. After a collection the heap held at most %.1f MiB in the first half and %.1f in the second, and %.1f and %.1f MiB once the clients had gone. Every value came back.\n",
		length, answers.Load(), mismatches.Load(), stalls.Load(), aborts.Load(), s.tooBig.Load(), mib(peaks[0]), mib(peaks[1]), mib(rests[0]), mib(rests[1]))
	if os.Getenv("SPARE_SOAK") != "" {
		figure(t, "soak", text)
	} else {
		t.Log(text)
	}
}

// heapAfterGC returns the bytes of the heap that a collection leaves.
func heapAfterGC() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

func compressed(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	z.Write(b)
	z.Close()
	return out.Bytes()
}
