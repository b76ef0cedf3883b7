// Package memory holds buffers, slices and objects that outlive their function,
// or may.
package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

func returned(parts []string) []byte {
	var b bytes.Buffer // refuse "it is returned"
	for _, p := range parts {
		b.WriteString(p)
	}
	return b.Bytes()
}

func returnedThrough(parts []string) []byte {
	var b bytes.Buffer // refuse "it is returned"
	b.WriteString(parts[0])
	return trim(b.Bytes())
}

func trim(p []byte) []byte { return bytes.TrimSpace(p)[:1] }

type cache struct {
	last  []byte
	all   map[string][]byte
	where *point
}

func (c *cache) field(n int) {
	buf := make([]byte, n) // refuse "stored in the field last"
	c.last = buf[:n/2]
}

func (c *cache) entry(n int) {
	buf := make([]byte, n) // refuse "stored in a map"
	c.all["x"] = buf
}

var global []byte

func toGlobal(n int) {
	buf := make([]byte, n) // refuse "package-level variable global"
	global = buf
}

func sent(c chan []byte, n int) {
	buf := make([]byte, n) // refuse "sent to a channel"
	c <- buf
}

func chosen(c, d chan []byte, n int) {
	buf := make([]byte, n) // refuse "sent to a channel"
	select {
	case c <- buf:
	case <-d:
	}
}

func goroutine(n int) {
	buf := make([]byte, n) // refuse "goroutine"
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		buf[0] = 1
	}()
	wg.Wait()
}

func waitGroup(n int) {
	buf := make([]byte, n) // refuse "WaitGroup..Go, whose code is not in view"
	var wg sync.WaitGroup
	wg.Go(func() { buf[0] = 1 })
	wg.Wait()
}

func lent(n int, use func([]byte) error) error {
	buf := make([]byte, n) // refuse "function value use"
	return use(buf)
}

type keeper interface{ Keep([]byte) }

func dynamic(k keeper, n int) {
	buf := make([]byte, n) // refuse "chosen at run time"
	k.Keep(buf)
}

func viaCallee(c *cache, n int) {
	buf := make([]byte, n) // refuse "passed to .*keepIn, where it is stored in the field last"
	keepIn(c, buf)
}

func keepIn(c *cache, p []byte) { c.last = p }

func closure(n int) func() byte {
	buf := make([]byte, n) // refuse "it is returned"
	return func() byte { return buf[0] }
}

func outer(n int) (p []byte) {
	func() {
		buf := make([]byte, n) // refuse "a variable of the function around"
		p = buf
	}()
	return p
}

func capacity(vs []int) int {
	var out []int
	for _, v := range vs {
		out = append(out, v) // refuse "its capacity shows"
	}
	return cap(out)
}

func twice(vs []int) int {
	var out []int
	for _, v := range vs {
		out = append(out, v) // refuse "its capacity shows"
	}
	a, b := append(out, 1), append(out, 2)
	return a[len(a)-1] + b[len(b)-1]
}

type frame struct {
	arr [64]byte
	buf []byte
}

func (f *frame) init() { f.buf = f.arr[:0] }

func selfRef() []byte {
	f := &frame{} // refuse "it is returned"
	f.init()
	return f.buf
}

func isNil(vs []int) bool {
	var out []int
	for _, v := range vs {
		out = append(out, v) // refuse "compared with nil"
	}
	return out == nil
}

func marshalled(vs []int) []byte {
	var out []int
	for _, v := range vs {
		out = append(out, v) // refuse "interface value, in which a nil slice"
	}
	b, _ := json.Marshal(out)
	return b
}

func deferredBefore(n int) {
	var w strings.Builder
	holder := &bytesHolder{}
	defer holder.flush(&w)
	buf := make([]byte, n) // refuse "deferred before"
	holder.b = buf
}

type bytesHolder struct{ b []byte }

func (h *bytesHolder) flush(w *strings.Builder) { w.Write(h.b) }

func stale(w io.Writer, parts []string) {
	var b bytes.Buffer // refuse "after the buffer may have changed"
	b.WriteString(parts[0])
	head := b.Bytes()
	fmt.Fprint(&b, parts)
	w.Write(head)
}

func asBuffer(parts []string) int {
	var b bytes.Buffer // refuse "as a bytes.Buffer"
	fill(&b, parts)
	return b.Len()
}

func fill(b *bytes.Buffer, parts []string) {
	for _, p := range parts {
		b.WriteString(p)
	}
}

func copied(parts []string) int {
	var b bytes.Buffer // refuse "as a bytes.Buffer"
	b.WriteString(parts[0])
	c := b
	return c.Len()
}

func contents(p []byte) string {
	b := bytes.NewBuffer(p) // refuse "contents of its own"
	b.WriteByte('x')
	return b.String()
}

func posted(url string, v any) error {
	b, err := json.Marshal(v) // refuse "net/http.Post, whose code is not in view"
	if err != nil {
		return err
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(b))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func kept(r io.Reader) (map[string][]byte, error) {
	data, err := io.ReadAll(r) // refuse "stored in a map"
	if err != nil {
		return nil, err
	}
	m := map[string][]byte{}
	for line := range bytes.Lines(data) {
		m[string(line[:1])] = line
	}
	return m, nil
}

func prev(rows [][]byte) (same int) {
	var last []byte
	for _, row := range rows {
		buf := make([]byte, len(row)) // refuse "beyond one turn of the loop"
		copy(buf, row)
		if bytes.Equal(buf, last) {
			same++
		}
		last = buf
	}
	return same
}

func deferredInLoop(names []string) {
	for _, name := range names {
		buf := make([]byte, len(name)) // refuse "after the loop"
		defer copy2(buf, name)
	}
}

func copy2(dst []byte, s string) { copy(dst, s) }

type point struct{ x, y int }

func (c *cache) object() {
	p := &point{1, 2} // refuse "stored in the field where"
	c.where = p
}

type node struct {
	next *node
	val  int
}

func list(n int) *node {
	var head *node
	for i := range n {
		nd := &node{val: i} // refuse "it is returned"
		nd.next = head
		head = nd
	}
	return head
}

type guarded struct {
	mu sync.Mutex
	n  int
}

func locked() int {
	g := &guarded{} // refuse "sync.Mutex"
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}

func local() int {
	type pair struct{ a, b int }
	p := &pair{1, 2} // refuse "local to the function"
	show(p)
	return p.a
}

func show(v any) { fmt.Fprintln(os.Stderr, v) }

func generic[T any](vs []T) int {
	buf := make([]T, 0, len(vs)) // refuse "type parameter T"
	buf = append(buf, vs...)
	return len(buf)
}

func onStack() int {
	var p point // refuse "on the stack already"
	p.x = 1
	return p.x
}

func perhapsBuffered(r io.Reader) (string, error) {
	br := bufio.NewReader(r) // refuse "may be a bufio value already"
	return br.ReadString('\n')
}

type selfish struct{ data [100]int }

var selves []*selfish

func (s *selfish) String() string { selves = append(selves, s); return "" }

func implicit() string {
	s := &selfish{} // refuse "in whose method String it is stored"
	return fmt.Sprint(s)
}

func panics(n int) {
	buf := make([]byte, n) // refuse "panicked with"
	panic(buf)
}

func unnamed(w io.Writer, r io.Reader) (int64, error) {
	return io.CopyBuffer(w, r, make([]byte, 32<<10)) // refuse "no variable of its own"
}

func jumps(n int) int {
	buf := make([]byte, n) // refuse "goto"
again:
	buf[0]++
	if buf[0] < 10 {
		goto again
	}
	return int(buf[0])
}

var once = make([]byte, 100) // refuse "package level|no variable of its own"

func nothing(n int) int {
	return n + 1 // refuse "makes nothing"
}

func lines(data []byte, each func([]byte)) int {
	buf := make([]byte, len(data)) // refuse "function value each"
	copy(buf, data)
	n := 0
	for line := range bytes.Lines(buf) {
		each(line)
		n++
	}
	return n
}

func fields(data []byte) (first []byte) {
	buf := make([]byte, len(data)) // refuse "stored in|a variable of the function around|it is returned"
	copy(buf, data)
	for f := range bytes.FieldsSeq(buf) {
		first = f
		break
	}
	return first
}

var parts []*part

type part struct{ n [64]int }

func (p *part) UnmarshalText(text []byte) error { parts = append(parts, p); return nil }

type whole struct {
	Part part
	ok   bool
}

func nested(data []byte) (bool, error) {
	var w whole // refuse "UnmarshalText, which may keep it"
	err := json.Unmarshal(data, &w)
	return w.ok, err
}

func hides(n *node) int {
	sum := 0
	if n != nil {
		n := &node{next: n} // refuse "mentions another n"
		sum += total(n)
	}
	return sum
}

func total(n *node) int {
	if n.next == nil {
		return n.val
	}
	return n.val + n.next.val
}

func hidesConn(r *os.File) (string, error) {
	if r != nil {
		r := bufio.NewReader(r) // refuse "mentions another r"
		return r.ReadString('x')
	}
	return "", nil
}

func hidesType() int {
	node := &node{val: 1} // refuse "mentions another node"
	return total(node)
}

// stash is an io.Writer that does not keep what is written, but itself.
type stash struct{ w io.Writer }

var stashed *stash

func (s *stash) Write(p []byte) (int, error) {
	stashed = s
	return s.w.Write(p)
}

func keepsItself(v any) int {
	var b bytes.Buffer // refuse "in whose method Write it is stored in the package-level variable stashed"
	json.NewEncoder(&stash{&b}).Encode(v)
	return b.Len()
}

type badInput struct{ input []byte }

func (e *badInput) Error() string { return string(e.input) }

func inError(data []byte) error {
	buf := make([]byte, len(data)) // refuse "a part of, an error"
	copy(buf, data)
	return fmt.Errorf("parsing: %w", &badInput{buf})
}

func methodValue(n int) func([]byte) (int, error) {
	b := bytes.NewBuffer(nil) // refuse "it is returned"
	f := b.Write
	f(make([]byte, n))
	return f
}

func viaReflect(n int) int {
	buf := make([]byte, n) // refuse "reflect.ValueOf, whose code is not in view"
	return reflect.ValueOf(buf).Len()
}

func viaUnsafe(n int) string {
	buf := make([]byte, n) // refuse "builtin String|builtin"
	return unsafe.String(&buf[0], n)
}

func passedOn(vs []int) int {
	var out []int
	for _, v := range vs {
		out = append(out, v) // refuse "its capacity shows"
	}
	n := len(extended(out)) + len(extended(out))
	out = append(out, n)
	return len(out)
}

func extended(vs []int) []int { return append(vs, 0) }

func declaredTogether(words []string) int {
	var (
		b bytes.Buffer // refuse "declared together"
		n int
	)
	for _, w := range words {
		b.WriteString(w)
		n++
	}
	return n + b.Len()
}

func declaredInOne(words []string) int {
	var b, c bytes.Buffer // refuse "declared together"
	for _, w := range words {
		b.WriteString(w)
		c.WriteString(w)
	}
	return b.Len() + c.Len()
}
