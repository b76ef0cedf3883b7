package goroutineuse

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// A pooled object that is the context of a request: contexts made from it ask it when the handler has returned.

type routeContext struct {
	parent context.Context
	path   string
}

func (c *routeContext) Deadline() (time.Time, bool) { return c.parent.Deadline() }
func (c *routeContext) Done() <-chan struct{}       { return c.parent.Done() }
func (c *routeContext) Err() error                  { return c.parent.Err() }
func (c *routeContext) Value(k any) any             { return c.parent.Value(k) }

func (c *routeContext) reset() { *c = routeContext{} }

var routeContexts = sync.Pool{New: func() any { return new(routeContext) }}

type ctxRouter struct{ handler http.Handler }

func (m *ctxRouter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := routeContexts.Get().(*routeContext)
	c.reset()
	c.parent, c.path = r.Context(), r.URL.Path
	m.handler.ServeHTTP(w, r.WithContext(c))
	c.reset()
	routeContexts.Put(c) // want `c, put here, was the context of a request`
}

// Right: it is a value in a context, which others ask while they are called.
type routeKey struct{}

type ctxValueRouter struct{ handler http.Handler }

func (m *ctxValueRouter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := routeContexts.Get().(*routeContext)
	c.reset()
	c.path = r.URL.Path
	m.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), routeKey{}, c)))
	c.reset()
	routeContexts.Put(c)
}

// Right: nobody else has the request.
func deadlineOf(r *http.Request) (time.Time, bool) {
	c := routeContexts.Get().(*routeContext)
	c.reset()
	c.parent = r.Context()
	t, ok := r.WithContext(c).Context().Deadline()
	c.reset()
	routeContexts.Put(c)
	return t, ok
}

// The request and its context come from a function, and go on from who called it.
type routed struct {
	routeContext
	held bool
}

var routedPool = sync.Pool{New: func() any { return new(routed) }}

func route(r *http.Request) (*routeContext, *http.Request) {
	c := routeContexts.Get().(*routeContext)
	c.parent, c.path = r.Context(), r.URL.Path
	return c, r.WithContext(c)
}

func unroute(c *routeContext) {
	c.reset()
	routeContexts.Put(c)
}

func (m *ctxRouter) serveRouted(w http.ResponseWriter, r *http.Request) {
	c, r := route(r)
	defer unroute(c) // want `c, put here, was the context of a request`
	m.handler.ServeHTTP(w, r)
}

// Right: nobody is given the request.
func (m *ctxRouter) serveAlone(w http.ResponseWriter, r *http.Request) {
	c, r := route(r)
	defer unroute(c)
	if err := r.Context().Err(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

func routeHeld(r *http.Request) (*routed, *http.Request) {
	c := routedPool.Get().(*routed)
	c.parent, c.path, c.held = r.Context(), r.URL.Path, false
	return c, r.WithContext(c)
}

// unrouteHeld leaves the context to the collector where somebody said that it is needed for longer.
func unrouteHeld(c *routed) {
	if !c.held {
		c.reset()
		routedPool.Put(c)
	}
}

// Right: whoever makes contexts of it says so.
func (m *ctxRouter) serveHeld(w http.ResponseWriter, r *http.Request) {
	c, r := routeHeld(r)
	defer unrouteHeld(c)
	m.handler.ServeHTTP(w, r)
}
