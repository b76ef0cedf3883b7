package lib

import "sync"

var blocks = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}

func GetBlock() *[]byte  { return blocks.Get().(*[]byte) }
func PutBlock(b *[]byte) { blocks.Put(b) }

// A Frame has its blocks written in order.
type Frame struct {
	Work chan chan int
	last *[]byte
}

// Close waits until all blocks were written.
func (f *Frame) Close() {
	f.Drop()
	c := make(chan int)
	f.Work <- c
	<-c
}

// Drop does not wait.
func (f *Frame) Drop() {
	if f.last != nil {
		PutBlock(f.last)
		f.last = nil
	}
}
