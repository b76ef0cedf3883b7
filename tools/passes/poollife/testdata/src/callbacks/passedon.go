package callbacks

import "sync"

// What is made to be called by Serve passes parts of what it is given on, to who keeps them.

type Call struct{ body []byte }

func (v *Call) Body() []byte { return v.body }

var callPool = sync.Pool{New: func() any { return &Call{body: make([]byte, 0, 64)} }}

type archive struct {
	mu   sync.Mutex
	last []byte
	all  map[string][]byte
}

func (a *archive) keep(name string, b []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[name] = b
}

func (a *archive) keepCopy(name string, b []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[name] = append([]byte(nil), b...)
}

func keeping(a *archive, name string) func(*Call) {
	return func(v *Call) {
		a.keep(name, v.Body()) // want `an element of a slice or map keeps memory of v after the value was put in callPool`
	}
}

func keepingCopies(a *archive, name string) func(*Call) {
	return func(v *Call) { a.keepCopy(name, v.Body()) }
}

func ServeCall(b []byte, do func(*Call)) {
	v := callPool.Get().(*Call)
	v.body = append(v.body[:0], b[:min(len(b), 64)]...)
	do(v)
	callPool.Put(v)
}
