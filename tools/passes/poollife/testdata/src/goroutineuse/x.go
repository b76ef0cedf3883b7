package goroutineuse

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func started(send func([]byte)) {
	b := get()
	b.WriteString("x")
	go func() { send(b.Bytes()) }()
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line 22 may still use it`
}

func goroutinePuts(send func([]byte)) {
	b := get()
	b.WriteString("x")
	go func() {
		send(b.Bytes())
		bufs.Put(b)
	}()
}

func usedAfterHandover(send func([]byte)) int {
	b := get()
	b.WriteString("x")
	go func() {
		send(b.Bytes())
		bufs.Put(b)
	}()
	return b.Len() // want `used by Len after it was handed to a goroutine that puts it back`
}

func waited(send func([]byte)) {
	b := get()
	b.WriteString("x")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		send(b.Bytes())
	}()
	wg.Wait()
	bufs.Put(b)
}

func done(send func([]byte)) {
	b := get()
	b.WriteString("x")
	done := make(chan struct{})
	go func() {
		send(b.Bytes())
		close(done)
	}()
	<-done
	bufs.Put(b)
}

func timeout(ctx context.Context, send func([]byte)) {
	b := get()
	b.WriteString("x")
	done := make(chan struct{})
	go func() {
		send(b.Bytes())
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line \d+ may still use it`
}

func timeoutRight(send func([]byte)) {
	b := get()
	b.WriteString("x")
	done := make(chan struct{})
	go func() {
		send(b.Bytes())
		close(done)
	}()
	select {
	case <-done:
		bufs.Put(b)
	case <-time.After(time.Second):
		// left to the collector
	}
}

func post(c *http.Client, url string) error {
	b := get()
	defer bufs.Put(b) // want `b is put in bufs while the HTTP transport that sends the request \(line \d+\) may still use it`
	b.WriteString("x")
	req, err := http.NewRequest("POST", url, b)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func postCopy(c *http.Client, url string) error {
	b := get()
	defer bufs.Put(b)
	b.WriteString("x")
	req, err := http.NewRequest("POST", url, bytes.NewReader(bytes.Clone(b.Bytes())))
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The receiver of the channel puts what it gets.
type queue struct{ ch chan *bytes.Buffer }

func (q *queue) run(w func([]byte)) {
	for b := range q.ch {
		w(b.Bytes())
		bufs.Put(b)
	}
}

func (q *queue) add(s string) int {
	b := get()
	b.WriteString(s)
	q.ch <- b
	return b.Len() // want `used by Len after it was handed to a goroutine that puts it back`
}

func (q *queue) addRight(s string) int {
	b := get()
	b.WriteString(s)
	n := b.Len()
	q.ch <- b
	return n
}

// A flag under a lock tells the goroutine to keep off.
type guard struct {
	mu   sync.Mutex
	gone bool
	b    *bytes.Buffer
}

func (g *guard) write(p []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone {
		return
	}
	g.b.Write(p)
}

func flagged(d time.Duration, h func(func([]byte))) {
	g := &guard{b: get()}
	b := g.b
	done := make(chan struct{})
	go func() {
		h(g.write)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(d):
		g.mu.Lock()
		g.gone = true
		g.mu.Unlock()
	}
	bufs.Put(b)
}

func group(parts []string, send func([]byte)) {
	var wg sync.WaitGroup
	b := get()
	for _, p := range parts {
		b.WriteString(p)
		wg.Go(func() { send(b.Bytes()) })
	}
	wg.Wait()
	bufs.Put(b)
}

// A receiver that is not in view has the bytes when the buffer is put.

type packet struct {
	data []byte
	done chan struct{}
}

func sendBytes(ch chan []byte, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	ch <- b.Bytes()
	bufs.Put(b) // want `b is put in bufs while the receiver from the channel \(line \d+\) may still use it`
}

func sendPacket(ch chan packet, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	ch <- packet{data: b.Bytes()}
	bufs.Put(b) // want `b is put in bufs while the receiver from the channel`
}

func sendAndWait(ch chan packet, s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	done := make(chan struct{})
	ch <- packet{b.Bytes(), done}
	<-done
	bufs.Put(b)
}

func sendOrPut(ch chan *bytes.Buffer) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	select {
	case ch <- b:
	default:
		bufs.Put(b)
	}
}

// So has the function of a timer.

func later(s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	time.AfterFunc(time.Second, func() { println(b.Len()) })
	bufs.Put(b) // want `b is put in bufs while the function of the timer \(line \d+\) may still use it`
}

func laterStopped(s string, send func([]byte)) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	t := time.AfterFunc(time.Second, func() { println("still sending", b.Len()) })
	send(b.Bytes())
	t.Stop()
	bufs.Put(b)
}

func laterPut(s string) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	time.AfterFunc(time.Second, func() { bufs.Put(b) })
}

// A question is asked of a goroutine, and given up when a context ends.

type question struct {
	parts  []string
	answer chan []reply
}

type reply struct {
	text string
	err  error
}

type questions struct{ list []string }

var questionLists = sync.Pool{New: func() any { return new(questions) }}

type asker struct {
	queue chan question
	shut  chan struct{}
}

func (a *asker) ask(ctx context.Context, parts []string) []reply {
	q := question{parts, make(chan []reply, 1)}
	a.queue <- q
	select {
	case r := <-q.answer:
		return r
	case <-ctx.Done():
		return []reply{{err: ctx.Err()}}
	}
}

// All replies are without an error, or the list stays with the goroutine.
func (a *asker) all(ctx context.Context, text string) error {
	l := questionLists.Get().(*questions) // want `not put back`
	l.list = append(l.list[:0], text)
	for _, r := range a.ask(ctx, l.list) {
		if r.err != nil {
			return r.err
		}
	}
	questionLists.Put(l)
	return nil
}

// Nobody looks at the error of the reply.
func (a *asker) allWrong(ctx context.Context, text string) (n int) {
	l := questionLists.Get().(*questions)
	l.list = append(l.list[:0], text)
	for _, r := range a.ask(ctx, l.list) {
		n += len(r.text)
	}
	questionLists.Put(l) // want `l is put in questionLists while the receiver from the channel`
	return n
}

// A group of pipes is used like one of them, and sends over one of them.

type sender interface {
	send(ctx context.Context, parts ...string) []reply
}

type pipe struct {
	queue chan question
	shut  chan struct{}
}

func (p *pipe) run() {
	for q := range p.queue {
		q.answer <- make([]reply, len(q.parts))
	}
}

func (p *pipe) send(ctx context.Context, parts ...string) []reply {
	q := question{parts, make(chan []reply, 1)}
	p.queue <- q
	select {
	case r := <-q.answer:
		return r
	case <-p.shut:
		return nil
	case <-ctx.Done():
		return []reply{{err: ctx.Err()}}
	}
}

type pipes struct{ pick func(part string) sender }

func (p *pipes) one(ctx context.Context, s sender, l *questions, wg *sync.WaitGroup) {
	s.send(ctx, l.list...)
	if ctx.Err() == nil {
		questionLists.Put(l) // want `l is put in questionLists while the receiver from the channel`
	}
	wg.Done()
}

func (p *pipes) send(ctx context.Context, parts ...string) []reply {
	by := map[sender]*questions{}
	for _, part := range parts {
		s := p.pick(part)
		l := by[s]
		if l == nil {
			l = questionLists.Get().(*questions)
			l.list = l.list[:0]
			by[s] = l
		}
		l.list = append(l.list, part)
	}
	var wg sync.WaitGroup
	wg.Add(len(by))
	for s, l := range by {
		go p.one(ctx, s, l, &wg)
	}
	wg.Wait()
	return nil
}
