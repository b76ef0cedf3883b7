package goroutineuse

// Each struct that is received has functions of its own, with variables of their own.

type export struct {
	data []byte
	done func()
}

type exporter struct{ in chan export }

func (e *exporter) loop(write func([]byte)) {
	for x := range e.in {
		write(x.data)
		x.done()
	}
}

func (e *exporter) send(text string) {
	d := datagrams.Get().(*datagram)
	d.raw = append(d.raw[:0], text...)
	e.in <- export{d.raw, func() {
		clear(d.raw)
		datagrams.Put(d)
	}}
}
