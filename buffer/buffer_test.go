// SPDX-License-Identifier: BSD-3-Clause

package buffer_test

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/internal/checked"
	"github.com/spare-go/spare/internal/magazine"
	"github.com/spare-go/spare/internal/race"
)

// usual skips what holds for the usual build alone: that memory is reused.
func usual(t *testing.T) {
	t.Helper()
	if race.Enabled || checked.Enabled {
		t.Skip("memory is reused in the usual build only, allocations are counted there")
	}
}

// alone has one P and no collections for the rest of the test, so that what was
// given back is what comes next.
func alone(t *testing.T) {
	t.Helper()
	procs := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(procs)
		debug.SetGCPercent(percent)
	})
}

// mallocs returns how many heap objects f makes, once warm: the least of some
// rounds, since others may add to the count.
func mallocs(f func()) uint64 {
	for range 20 {
		f()
	}
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			f()
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

var sink string

func TestAllocs(t *testing.T) {
	usual(t)
	alone(t)
	small, large := strings.Repeat("s", 64), strings.Repeat("l", 100_000)
	kilo := bytes.Repeat([]byte("k"), 1024)
	reader := bytes.NewReader(nil)
	tests := []struct {
		name string
		want uint64 // in ten calls
		f    func()
	}{
		{"New", 0, func() {
			b := buffer.New()
			if b.Len() != 0 {
				panic("not empty")
			}
			b.Release()
		}},
		{"New/writers", 0, func() {
			b := buffer.New()
			b.WriteString(small[:40])
			b.Write(kilo[:8])
			b.WriteByte('x')
			b.WriteRune('世')
			if b.Len() != 52 || b.Bytes()[48] != 'x' {
				panic("wrong contents")
			}
			b.Release()
		}},
		{"New/readers", 0, func() {
			b := buffer.New()
			b.WriteString(small)
			var p [8]byte
			b.Read(p[:])
			b.ReadByte()
			b.UnreadByte()
			b.ReadRune()
			b.UnreadRune()
			if q, _ := b.Peek(3); len(q) != 3 || len(b.Next(4)) != 4 {
				panic("wrong contents")
			}
			b.Truncate(5)
			b.Reset()
			b.Release()
		}},
		{"New/String", 10, func() {
			b := buffer.New()
			b.WriteString(small)
			sink = b.String()
			b.Release()
		}},
		{"New/grown", 0, func() {
			b := buffer.New()
			b.WriteString(small)
			b.WriteString(small)
			b.Release()
		}},
		{"New/large", 0, func() {
			b := buffer.New()
			for range 8 {
				b.Write(kilo)
			}
			b.Release()
		}},
		{"New/not released", 20, func() {
			b := buffer.New()
			b.WriteString(small)
			b.WriteString(small) // 128
			b.WriteString(small) // 256
		}},
		{"Get/small", 0, func() {
			b := buffer.Get()
			b.WriteString(small)
			b.WriteTo(io.Discard)
			b.Release()
		}},
		{"Get/large", 0, func() {
			b := buffer.Get()
			b.WriteString(large)
			b.WriteTo(io.Discard)
			b.Release()
		}},
		{"Get/bimodal", 0, func() {
			for i := range 4 {
				b := buffer.Get()
				if i == 0 {
					b.WriteString(large)
				}
				b.Release()
			}
		}},
		{"Get/ReadFrom", 0, func() {
			b := buffer.Get()
			reader.Reset(kilo)
			b.ReadFrom(reader)
			b.Release()
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := mallocs(test.f); got != test.want {
				t.Errorf("ten calls make %d heap objects, want %d", got, test.want)
			}
		})
	}
}

func TestReleaseTwice(t *testing.T) {
	alone(t)
	b := buffer.Get()
	b.WriteString("x")
	b.Release()
	b.Release() //spare:ignore double-put the subject of the test
	c, d := buffer.Get(), buffer.Get()
	if c == d {
		t.Error("Get returned a Buffer twice that was released twice")
	}
	c.Release()
	d.Release()
}

// TestRestore overwrites Buffers with earlier copies of themselves, which
// brings back every field that they had.
func TestRestore(t *testing.T) {
	if checked.Enabled {
		t.Skip("panics in the checked build")
	}
	alone(t)
	for _, size := range []int{10, 1000} {
		a := buffer.Get()
		a.Write(make([]byte, size))
		old := *a
		a.Write(make([]byte, 10*size))
		*a = old
		a.Release()
		*a = old    //spare:ignore use-after-put the subject of the test
		a.Release() //spare:ignore double-put the subject of the test

		b := buffer.New()
		b.Write(make([]byte, 10*size))
		oldB := b
		b.Release()
		b = oldB    //spare:ignore use-after-put the subject of the test
		b.Release() //spare:ignore double-put the subject of the test
	}
	checkDistinct(t)
}

// checkDistinct empties the pools and checks that no array was in them twice.
func checkDistinct(t *testing.T) {
	t.Helper()
	var all []*buffer.Buffer
	for _, size := range []int{100, 1000, 10_000} {
		for range 50 {
			b := buffer.New()
			b.Write(make([]byte, size))
			all = append(all, buffer.Get(), &b)
		}
	}
	for i, b := range all {
		b.Write([]byte{1})
		for _, c := range all[:i] {
			if overlap(memory(b), memory(c)) {
				t.Fatal("two Buffers have the same memory")
			}
		}
	}
}

// TestCopiesReleased releases many copies of the same Buffers from several
// goroutines.
func TestCopiesReleased(t *testing.T) {
	if checked.Enabled {
		t.Skip("panics in the checked build")
	}
	if race.Enabled {
		t.Skip("the detector reports a late Release of a copy as the use after Release that it is")
	}
	for range 100 {
		b := buffer.New()
		b.Write(make([]byte, 100))
		b.Write(make([]byte, 1000))
		b.Write(make([]byte, 10_000))
		var wg sync.WaitGroup
		for range 4 {
			c := b
			wg.Go(func() {
				c.Release()
				c.Release() //spare:ignore double-put the subject of the test
			})
		}
		wg.Wait()
	}
	checkDistinct(t)
}

// TestCopySurvivesGrowth has a Buffer grow under a copy of it, while others
// take memory from the pool.
func TestCopySurvivesGrowth(t *testing.T) {
	alone(t)
	text := strings.Repeat("original", 20)
	b := buffer.New()
	b.WriteString(text)
	c := b
	for n := 100; n < 100_000; n *= 2 {
		b.Write(make([]byte, n))
		o := buffer.New()
		o.Write(bytes.Repeat([]byte("o"), n))
		defer o.Release()
	}
	if c.String() != text {
		t.Errorf("the copy shows %q", c.String())
	}
	b.Release()
}

func TestNewBufferKeepsItsArray(t *testing.T) {
	alone(t)
	mine := make([]byte, 0, 512)
	b := buffer.NewBuffer(mine)
	b.Write(make([]byte, 500))
	b.Write(make([]byte, 500)) // grows
	b.Release()
	b = buffer.NewBuffer(mine)
	b.Write(make([]byte, 5))
	b.Release()
	for range 50 {
		for _, b := range []*buffer.Buffer{buffer.Get(), new(buffer.Buffer)} {
			b.Write(make([]byte, 400))
			if overlap(memory(b), mine[:cap(mine)]) {
				t.Fatal("the array of NewBuffer is in the pool")
			}
		}
	}
}

func TestDetach(t *testing.T) {
	alone(t)
	for _, size := range []int{0, 5, 100, 5000} {
		text := strings.Repeat("d", size)
		local := buffer.New()
		for _, b := range []*buffer.Buffer{buffer.Get(), &local, new(buffer.Buffer), buffer.NewBufferString("")} {
			b.WriteString("ab")
			b.WriteString(text)
			b.Next(2)
			p := b.Detach()
			if string(p) != text {
				t.Errorf("Detach returned %q, want %q", p, text)
			}
			if (p == nil) != (size == 0) {
				t.Errorf("Detach of %d bytes: nil is %v", size, p == nil)
			}
			if b.Len() != 0 {
				t.Errorf("%d bytes are left", b.Len())
			}
			b.Write(bytes.Repeat([]byte("e"), 2*size))
			b.Release()
			c := buffer.Get()
			c.Write(bytes.Repeat([]byte("f"), 2*size))
			c.Release()
			if string(p) != text {
				t.Errorf("detached bytes became %q", p)
			}
		}
	}
}

// TestDetachFew detaches a few bytes from a Buffer that has much more memory.
func TestDetachFew(t *testing.T) {
	usual(t)
	alone(t)
	for range 5 {
		use(5000)
	}
	b := buffer.Get()
	defer b.Release()
	if b.Cap() < 5000 {
		t.Fatalf("a Buffer begins with %d bytes", b.Cap())
	}
	b.WriteString("few")
	if p := b.Detach(); string(p) != "few" || cap(p) > 100 {
		t.Errorf("Detach returned %q with a capacity of %d bytes", p, cap(p))
	}
	if b.Cap() < 5000 {
		t.Errorf("the Buffer has %d bytes left", b.Cap())
	}
}

// TestCopiesGrow has copies grow that lie in memory with a larger array beside it.
func TestCopiesGrow(t *testing.T) {
	alone(t)
	for range 10 { // after some, the array stays where it is
		b := buffer.New()
		b.Write(make([]byte, 100))
		b.Write(make([]byte, 1000))
		b.Release()
	}
	b := buffer.New()
	b.Write(bytes.Repeat([]byte("x"), 100))
	c := b
	b.Write(bytes.Repeat([]byte("b"), 1000))
	c.Write(bytes.Repeat([]byte("c"), 1000))
	if overlap(memory(&b), memory(&c)) || b.String()[100:] != strings.Repeat("b", 1000) || c.String()[100:] != strings.Repeat("c", 1000) {
		t.Error("two copies grew into the same memory")
	}
	b.Release()
}

// TestDetachThenRelease releases a copy of a Buffer whose bytes were detached.
func TestDetachThenRelease(t *testing.T) {
	alone(t)
	for range 20 {
		b := buffer.New()
		b.Write(make([]byte, 100))
		b.Write(make([]byte, 1000))
		c := b
		p := b.Detach()
		if !checked.Enabled { // where it panics, or not, depending on others
			c.Release()
		}
		for range 3 {
			d := buffer.New()
			d.Write(bytes.Repeat([]byte("d"), 90))
			d.Write(bytes.Repeat([]byte("d"), 1000))
			defer d.Release()
		}
		if !bytes.Equal(p, make([]byte, 1100)) {
			t.Fatal("detached bytes belong to somebody else")
		}
	}
}

// use gets a Buffer, writes n bytes, writes them out and releases it.
func use(n int) {
	b := buffer.Get()
	b.Write(make([]byte, n))
	b.WriteTo(io.Discard)
	b.Release()
}

// kept returns the capacity of the array that the next Buffer from Get has.
func kept() int {
	b := buffer.Get()
	defer b.Release()
	return buffer.KeptCap(b)
}

// TestKeeps has Buffers of Get begin with what the last ones needed, and not with
// much more.
func TestKeeps(t *testing.T) {
	usual(t)
	alone(t)
	for _, test := range []struct {
		name        string
		uses        []int
		least, most int // bytes kept in the end
	}{
		{"small", []int{5, 5, 5}, 0, 0},
		{"middle", []int{300}, 300, 2048},
		{"many middle", []int{1500, 1500, 1500, 1500}, 1500, 6000},
		{"as large as is kept", []int{5000, 5000, 5000}, 5000, buffer.MaxOwn},
		{"middle among small", []int{300, 5, 5, 5}, 300, 2048},
		{"middle before small", slices.Concat([]int{300}, slices.Repeat([]int{5}, 30)), 0, 0},
		{"large among small", []int{5000, 5, 5}, 0, 0},
		{"large among middle", []int{8000, 300, 300, 300, 300}, 300, 2048},
		{"too large", []int{100_000, 100_000, 100_000}, 0, 0},
		{"half as large", []int{7000, 16_000, 16_000, 5000, 5000}, 5000, buffer.MaxOwn},
		{"too large among middle", []int{1500, 100_000, 1500}, 1500, 6000},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 40 {
				use(5)
			}
			if n := kept(); n != 0 {
				t.Fatalf("at first %d bytes are kept", n)
			}
			for _, n := range test.uses {
				use(n)
			}
			if n := kept(); n < test.least || n > test.most {
				t.Errorf("after uses of %d bytes %d are kept, want %d to %d", test.uses, n, test.least, test.most)
			}
		})
	}
}

// TestGrowsToUsual has Buffers that need more than is kept with one grow at once to
// what the last two needed.
func TestGrowsToUsual(t *testing.T) {
	usual(t)
	alone(t)
	for _, kind := range []struct {
		name string
		get  func() *buffer.Buffer
	}{
		{"Get", buffer.Get},
		{"lent", func() *buffer.Buffer {
			b := new(buffer.Buffer)
			b.Write(make([]byte, 100))
			return b
		}},
	} {
		// grown returns the capacity of a Buffer that outgrew its small memory.
		grown := func() int {
			b := kind.get()
			defer b.Release()
			b.Write(make([]byte, buffer.SmallSize-b.Len()))
			b.Write(make([]byte, 30))
			return b.Cap()
		}
		large := func() {
			b := kind.get()
			defer b.Release()
			for range 1000 {
				b.Write(make([]byte, 100))
			}
		}
		for _, test := range []struct {
			name        string
			f           []func()
			least, most int
		}{
			{"large", []func(){large, large}, 100_000, 1 << 30},
			{"one large", []func(){large}, 0, 10_000},
			{"small between", []func(){large, func() { kind.get().Release() }, large}, 0, 10_000},
		} {
			t.Run(kind.name+"/"+test.name, func(t *testing.T) {
				for range 50 {
					grown()
				}
				for _, f := range test.f {
					f()
				}
				if n := grown(); n < test.least || n > test.most {
					t.Errorf("a Buffer has room for %d bytes, want %d to %d", n, test.least, test.most)
				}
			})
		}
	}
}

// TestOneInThirty has many Buffers in use, of which one in thirty is large, and
// counts what they keep when they are idle.
func TestOneInThirty(t *testing.T) {
	usual(t)
	alone(t)
	for _, large := range []int{400, 1500, 8000, 100_000} {
		const window = 200
		slots := make([]*buffer.Buffer, window)
		inUse, uses := 0, 0
		for i := range 100 * window {
			b := &slots[i%window]
			if *b != nil {
				buffer.ReleaseFrom(b)
			}
			*b = buffer.Get()
			n := 20
			if i*7919%30 == 0 {
				n = large
			}
			(*b).Write(make([]byte, n))
			(*b).WriteTo(io.Discard)
			inUse += n
			uses++
		}
		keeps := 0
		for i := range slots {
			buffer.ReleaseFrom(&slots[i])
		}
		for i := range slots {
			slots[i] = buffer.Get()
			keeps += buffer.KeptCap(slots[i])
		}
		for i := range slots {
			buffer.ReleaseFrom(&slots[i])
		}
		// A store keeps at most MaxOwn bytes in vain after each large use, added up
		// over uses, and one large array at most for the use itself.
		if most := window * (buffer.MaxOwn + 2*large) / 30; keeps > most {
			t.Errorf("one use in thirty of %d bytes: %d Buffers keep %d bytes, want at most %d", large, window, keeps, most)
		}
	}
}

// TestFromElsewhere releases Buffers that do not come from where they are put, as
// those that are got on one P and released on another, and counts what they keep.
func TestFromElsewhere(t *testing.T) {
	usual(t)
	if magazine.Portable {
		t.Skip("a shard of the portable engine holds fewer Buffers, and does not say how many")
	}
	alone(t)
	for _, n := range []int{400, 1000, 2000, 5000, 8000, 100_000} {
		for range 1000 {
			buffer.Get() // what follows is new
		}
		var all [200]*buffer.Buffer
		for i := range all {
			all[i] = buffer.Get()
			all[i].Write(make([]byte, n))
		}
		for i := range all {
			buffer.ReleaseFrom(&all[i])
		}
		keeps := 0
		for i := range all {
			all[i] = buffer.Get()
			keeps += buffer.KeptCap(all[i])
		}
		for i := range all {
			all[i].Release()
		}
		const magazines = len(all)/14 + 1
		if most := magazines * (buffer.MaxShard + buffer.MaxOwn); keeps > most {
			t.Errorf("%d Buffers of %d bytes keep %d bytes, want at most %d", len(all), n, keeps, most)
		}
	}
}

// TestSteady counts the arrays that are taken from the pool where all uses are alike:
// none, or one for each use if a Buffer does not keep one of that size.
func TestSteady(t *testing.T) {
	usual(t)
	alone(t)
	gets := func() uint64 {
		for name, stats := range spare.All() {
			if name == "buffer/arrays" {
				return stats.Gets
			}
		}
		return 0
	}
	buffer.Get().Grow(1000) // the pool is listed
	for _, writes := range []int{1, 2, 3, 10, 100} {
		for _, size := range []int{10, 100, 500} {
			p := make([]byte, size)
			once := func() {
				b := buffer.Get()
				for range writes {
					b.Write(p)
				}
				b.Release()
			}
			for range 40 {
				once()
			}
			before := gets()
			for range 100 {
				once()
			}
			want := uint64(0)
			if writes*size > buffer.MaxOwn {
				want = 100
			}
			if got := gets() - before; got != want {
				t.Errorf("100 uses of %d times %d bytes take %d arrays from the pool, want %d", writes, size, got, want)
			}
		}
	}
}

// TestBelow has one Buffer in use above idle ones, which may be many after a burst.
func TestBelow(t *testing.T) {
	usual(t)
	alone(t)
	for below := range 30 {
		idle := make([]*buffer.Buffer, below)
		for i := range idle {
			idle[i] = buffer.Get()
		}
		for i := range idle {
			buffer.ReleaseFrom(&idle[i])
		}
		for range 3 {
			use(5000)
		}
		if n := kept(); n < 5000 {
			t.Errorf("a Buffer above %d others keeps %d bytes after uses of 5000", below, n)
		}
	}
}

func TestReleaseFrom(t *testing.T) {
	alone(t)
	var b *buffer.Buffer
	buffer.ReleaseFrom(&b) // nothing happens
	b = buffer.Get()
	b.WriteString("x")
	old := b
	buffer.ReleaseFrom(&b)
	if b != nil {
		t.Error("the variable is not nil")
	}
	buffer.ReleaseFrom(&b)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a write to the variable's Buffer does not panic")
			}
		}()
		b.WriteString("y")
	}()
	if c := buffer.Get(); c != old && !race.Enabled && !checked.Enabled {
		t.Error("the Buffer is not in the pool")
	}
	local := buffer.New()
	local.Write(make([]byte, 1000))
	b = &local
	buffer.ReleaseFrom(&b)
	if b != nil {
		t.Error("the variable is not nil")
	}
}

// lenReader counts the calls of Read.
type lenReader struct {
	*strings.Reader
	b    *buffer.Buffer
	caps map[int]bool
}

func (r lenReader) Read(p []byte) (int, error) {
	r.caps[r.b.Cap()] = true
	return r.Reader.Read(p)
}

func TestReadFromGrowsOnce(t *testing.T) {
	for _, n := range []int{0, 1, 100, 600, 5000, 100_000} {
		text := strings.Repeat("r", n)
		for _, b := range []*buffer.Buffer{buffer.Get(), new(buffer.Buffer)} {
			r := lenReader{strings.NewReader(text), b, map[int]bool{}}
			if m, err := b.ReadFrom(r); int(m) != n || err != nil || b.String() != text {
				t.Errorf("ReadFrom of %d bytes = %d, %v", n, m, err)
			}
			if len(r.caps) != 1 {
				t.Errorf("ReadFrom of %d bytes: the reader saw the capacities %v", n, r.caps)
			}
			b.Release()
		}
	}
}

// A liar says that it has more than it has.
type liar struct{ io.Reader }

func (liar) Len() int { return int(^uint(0) >> 1) }

func TestReadFromWrongLen(t *testing.T) {
	b := buffer.Get()
	defer b.Release()
	if n, err := b.ReadFrom(liar{strings.NewReader("truth")}); n != 5 || err != nil || b.String() != "truth" {
		t.Errorf("ReadFrom = %d, %v with contents %q", n, err, b)
	}
}

func TestReader(t *testing.T) {
	b := buffer.Get()
	defer b.Release()
	b.WriteString("one\ntwo\nthree €uro and the rest")
	r := b.Reader()
	if _, ok := any(r).(io.Writer); ok {
		t.Error("a Reader can write")
	}
	if line, err := r.ReadString('\n'); line != "one\n" || err != nil {
		t.Errorf("ReadString = %q, %v", line, err)
	}
	if line, err := r.ReadBytes('\n'); string(line) != "two\n" || err != nil {
		t.Errorf("ReadBytes = %q, %v", line, err)
	}
	if c, err := r.ReadByte(); c != 't' || err != nil || r.UnreadByte() != nil {
		t.Errorf("ReadByte = %q, %v", c, err)
	}
	p := make([]byte, 6)
	if n, err := r.Read(p); string(p[:n]) != "three " || err != nil {
		t.Errorf("Read = %q, %v", p[:n], err)
	}
	if c, n, err := r.ReadRune(); c != '€' || n != 3 || err != nil || r.UnreadRune() != nil {
		t.Errorf("ReadRune = %q, %d, %v", c, n, err)
	}
	rest := "€uro and the rest"
	if r.Len() != len(rest) || b.Len() != len(rest) {
		t.Errorf("Len = %d and %d, want %d", r.Len(), b.Len(), len(rest))
	}
	var w strings.Builder
	if n, err := r.WriteTo(&w); int(n) != len(rest) || err != nil || w.String() != rest {
		t.Errorf("WriteTo = %d, %v with %q", n, err, w.String())
	}
}

func TestAll(t *testing.T) {
	b := buffer.Get()
	b.Write(make([]byte, 1000))
	b.Release()
	c := buffer.New()
	c.Write(make([]byte, 1000))
	c.Release()
	want := []string{"buffer/arrays", "buffer/get", "buffer/lent"}
	for name, stats := range spare.All() {
		if len(want) > 0 && name == want[0] && stats.Gets > 0 {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		t.Errorf("All does not list %q as used", want)
	}
}

// TestConcurrent has many goroutines check that what they wrote is what they
// read.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			mark := []byte{byte('a' + g)}
			for i := range 500 {
				n := 1 + (i*37+g*11)%300
				if i%20 == 0 {
					n *= 100
				}
				local := buffer.New()
				for _, b := range []*buffer.Buffer{buffer.Get(), &local} {
					want := bytes.Repeat(mark, n)
					for range 3 {
						b.Write(want)
					}
					runtime.Gosched()
					if !bytes.Equal(b.Next(n), want) || !bytes.Equal(b.Next(n), want) || !bytes.Equal(b.Bytes(), want) {
						t.Error("a Buffer shows what another goroutine wrote")
					}
					b.Release()
				}
			}
		})
	}
	wg.Wait()
}

func TestErrTooLarge(t *testing.T) {
	buffers := []*buffer.Buffer{buffer.Get(), buffer.NewBufferString("x")}
	if bits.UintSize == 64 { // half of all addresses are there for the asking otherwise
		buffers = append(buffers, new(buffer.Buffer))
	}
	for _, b := range buffers {
		func() {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, bytes.ErrTooLarge) || err != buffer.ErrTooLarge {
					t.Errorf("Grow panics with %v, want ErrTooLarge", err)
				}
			}()
			b.Grow(int(^uint(0) >> 1))
		}()
		b.WriteString("y")
		if !strings.HasSuffix(b.String(), "y") {
			t.Errorf("after the panic the Buffer shows %q", b)
		}
		b.Release()
	}
}
