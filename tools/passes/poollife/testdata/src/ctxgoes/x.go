package ctxgoes // What is in the context of a request is found by goroutines that nobody waits for.

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type trace struct {
	mu    sync.Mutex
	steps int
	name  string
}

var traces = sync.Pool{New: func() any { return new(trace) }}

type traceKey struct{}

func begin(name string) *trace {
	t := traces.Get().(*trace)
	t.name, t.steps = name, 0
	return t
}

func (t *trace) end(report func(string, int)) {
	report(t.name, t.steps)
	traces.Put(t)
}

func (t *trace) step() {
	t.mu.Lock()
	t.steps++
	t.mu.Unlock()
}

func traceOf(ctx context.Context) *trace {
	t, _ := ctx.Value(traceKey{}).(*trace)
	return t
}

type traced struct {
	next   http.Handler
	report func(string, int)
}

func (h *traced) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := begin(r.URL.Path)
	ctx := context.WithValue(r.Context(), traceKey{}, t)
	h.next.ServeHTTP(w, r.WithContext(ctx))
	t.end(h.report) // want `t, put here, is in the context that others were given \(line 50\), and a goroutine which notify starts and does not always wait for finds it there`
}

func notify(ctx context.Context, send func(context.Context)) {
	go func() {
		if t := traceOf(ctx); t != nil {
			t.step()
		}
		send(ctx)
	}()
}

// An interceptor is a literal, and the goroutine has a context of its own, in which the same is found.

type call struct{ retries int }

type callKey int

var calls = sync.Pool{New: func() any { return new(call) }}

type handler func(ctx context.Context, req any) (any, error)

func intercept() func(ctx context.Context, req any, next handler) (any, error) {
	return func(ctx context.Context, req any, next handler) (any, error) {
		c := calls.Get().(*call)
		c.retries = 0
		defer calls.Put(c) // want `c, put here, is in the context that others were given`
		return next(context.WithValue(ctx, callKey(0), c), req)
	}
}

func retry(ctx context.Context) { ctx.Value(callKey(0)).(*call).retries++ }

func withLimit(ctx context.Context, do func() error) error {
	limited, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	done := make(chan error, 1)
	go work(limited, do, done)
	select {
	case err := <-done:
		return err
	case <-limited.Done():
		return limited.Err()
	}
}

func work(ctx context.Context, do func() error, done chan<- error) {
	err := do()
	if err != nil {
		retry(ctx)
		err = do()
	}
	done <- err
}

// Here all who start a goroutine wait for it.

type session struct{ reads int }

type sessionKey struct{}

var sessions = sync.Pool{New: func() any { return new(session) }}

func serve(ctx context.Context, next func(context.Context)) {
	s := sessions.Get().(*session)
	s.reads = 0
	defer sessions.Put(s)
	next(context.WithValue(ctx, sessionKey{}, s))
}

func both(ctx context.Context, f, g func()) {
	done := make(chan struct{})
	go func() {
		if s, ok := ctx.Value(sessionKey{}).(*session); ok {
			s.reads++
		}
		f()
		close(done)
	}()
	g()
	<-done
}

func each(ctx context.Context, list []func()) {
	var all sync.WaitGroup
	for _, f := range list {
		all.Add(1)
		go func() {
			defer all.Done()
			if s, ok := ctx.Value(sessionKey{}).(*session); ok {
				s.reads++
			}
			f()
		}()
	}
	all.Wait()
}

// What is counted comes back to the pool when nobody has it any more.

type span struct {
	refs atomic.Int32
	n    int
}

type spanKey struct{}

var spans = sync.Pool{New: func() any { return new(span) }}

func (s *span) drop() {
	if s.refs.Add(-1) == 0 {
		spans.Put(s)
	}
}

func spanning(ctx context.Context, next func(context.Context)) {
	s := spans.Get().(*span)
	s.n = 0
	s.refs.Store(1)
	defer s.drop()
	next(context.WithValue(ctx, spanKey{}, s))
}

func later(ctx context.Context, f func()) {
	s, _ := ctx.Value(spanKey{}).(*span)
	if s == nil {
		return
	}
	s.refs.Add(1)
	go func() {
		defer s.drop()
		s.n++
		f()
	}()
}

func laterFound(ctx context.Context) {
	go func() {
		if s, _ := ctx.Value(spanKey{}).(*span); s != nil {
			s.n++
		}
	}()
}

// The goroutine has the context, and looks for nothing of this in it.

type form struct{ fields []string }

type formKey struct{}

var forms = sync.Pool{New: func() any { return new(form) }}

func parse(ctx context.Context, next func(context.Context)) {
	f := forms.Get().(*form)
	f.fields = f.fields[:0]
	defer forms.Put(f)
	next(context.WithValue(ctx, formKey{}, f))
}

func fieldsOf(ctx context.Context) []string { return ctx.Value(formKey{}).(*form).fields }

func warm(ctx context.Context, load func(context.Context)) int {
	n := len(fieldsOf(ctx))
	go load(ctx)
	go func() {
		<-ctx.Done()
	}()
	return n
}

// A new context, and not what the caller gave, is what the goroutine has.

func refresh(load func(context.Context)) {
	ctx := context.Background()
	go func() {
		if f, _ := ctx.Value(formKey{}).(*form); f != nil {
			f.fields = nil
		}
		load(ctx)
	}()
}

// What is in the context is no pooled value itself, but has one as long as the handler runs.

type pageData struct{ hits int }

type page struct {
	mu   sync.Mutex
	data *pageData
}

type pageKey struct{}

var pageDatas = sync.Pool{New: func() any { return new(pageData) }}

func (p *page) close() {
	p.mu.Lock()
	d := p.data
	p.data = nil
	p.mu.Unlock()
	d.hits = 0
	pageDatas.Put(d)
}

func paged(ctx context.Context, next func(context.Context)) {
	p := &page{data: pageDatas.Get().(*pageData)}
	defer p.close()
	next(context.WithValue(ctx, pageKey{}, p))
}

func hit(ctx context.Context) {
	go func() {
		p, _ := ctx.Value(pageKey{}).(*page)
		if p == nil {
			return
		}
		p.mu.Lock()
		if p.data != nil {
			p.data.hits++
		}
		p.mu.Unlock()
	}()
}
