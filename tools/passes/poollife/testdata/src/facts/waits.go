package facts

import "facts/lib"

// A function of another package waits for the goroutines that work for its receiver.

type framed struct {
	frame *lib.Frame
	block *[]byte
	sum   int
}

func (f *framed) add(block *[]byte) {
	c := make(chan int)
	f.frame.Work <- c
	go func() {
		for _, b := range *block {
			f.sum += int(b)
		}
		c <- len(*block)
	}()
}

func (f *framed) close() {
	f.add(f.block)
	f.frame.Close()
	lib.PutBlock(f.block)
	f.block = nil
}

func (f *framed) abort() {
	f.add(f.block)
	f.frame.Drop()
	lib.PutBlock(f.block) // want `f.block is put in blocks while the goroutine`
	f.block = nil
}

func (f *framed) other(o *lib.Frame) {
	f.add(f.block)
	o.Close()
	lib.PutBlock(f.block) // want `f.block is put in blocks while the goroutine`
	f.block = nil
}
