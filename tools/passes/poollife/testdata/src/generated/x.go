package generated

var kept []byte

func after() int {
	m := takeMessage()
	giveMessage(m)
	return m.id // want `m is read after it was put in messages`
}

func twice() {
	m := takeMessage()
	giveMessage(m)
	giveMessage(m) // want `m is put in messages a second time`
}

func returned() []byte {
	m := takeMessage()
	defer giveMessage(m)
	return m.body // want `memory of m is returned while the deferred call puts it in messages`
}

func stored() {
	m := takeMessage()
	kept = m.body // want `variable kept keeps memory of m after the value was put in messages`
	giveMessage(m)
}

func started() {
	m := takeMessage()
	go func() { kept = m.body }()
	giveMessage(m) // want `m is put in messages while the goroutine started at line \d+ may still use it`
}

func lost(ok bool) {
	m := takeMessage() // want `m, taken from messages at line 36, is not put back on the path that ends here`
	if !ok {
		return
	}
	giveMessage(m)
}

// With nothing of the generated file but the pool.
func direct() int {
	m := messages.Get().(*message)
	messages.Put(m)
	return m.id // want `m is read after it was put in messages`
}

func right() int {
	m := takeMessage()
	defer giveMessage(m)
	return m.id
}
