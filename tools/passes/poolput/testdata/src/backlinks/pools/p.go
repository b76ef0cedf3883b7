// Package pools has pools that their values know, in fields.
package pools

import "sync"

type Buffer struct {
	B    []byte
	pool *Pool
}

func (b *Buffer) Free() { b.pool.put(b) }

type Pool struct{ p sync.Pool }

func (p *Pool) Get() *Buffer {
	b, _ := p.p.Get().(*Buffer)
	if b == nil {
		b = new(Buffer)
	}
	b.B = b.B[:0]
	b.pool = p
	return b
}
func (p *Pool) put(b *Buffer) { p.p.Put(b) }

type ZPool struct{ p *sync.Pool }
type ZBuf struct {
	B    []byte
	pool ZPool
}

func NewZ() ZPool {
	return ZPool{p: &sync.Pool{New: func() any { return &ZBuf{} }}}
}
func (p ZPool) Get() *ZBuf {
	b := p.p.Get().(*ZBuf)
	b.B = b.B[:0]
	b.pool = p
	return b
}
func (p ZPool) put(b *ZBuf) { p.p.Put(b) }
func (b *ZBuf) Free()       { b.pool.put(b) }

type HBuf struct {
	B    []byte
	home *sync.Pool
}

func GetH(p *sync.Pool) *HBuf {
	b, ok := p.Get().(*HBuf)
	if !ok {
		b = &HBuf{home: p}
	}
	b.B = b.B[:0]
	return b
}

func (b *HBuf) Release() {
	if b.home != nil {
		b.home.Put(b)
	}
}

type Lease[T any] struct {
	V    T
	pool *LPool[T]
	once sync.Once
}
type LPool[T any] struct{ p sync.Pool }

func (p *LPool[T]) Get() *Lease[T] {
	l, ok := p.p.Get().(*Lease[T])
	if !ok {
		l = new(Lease[T])
	}
	l.pool = p
	return l
}
func (l *Lease[T]) Done() { l.pool.p.Put(l) }

var small, large sync.Pool

func GetSmall() *HBuf {
	b, _ := small.Get().(*HBuf)
	if b == nil {
		b = new(HBuf)
	}
	return b
}

func PutSmall(b *HBuf) { small.Put(b) }

func PutLarge(b *HBuf) { large.Put(b) }
