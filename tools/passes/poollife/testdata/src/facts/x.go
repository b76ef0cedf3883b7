package facts

import "facts/lib"

func result() []byte {
	b := lib.Get()
	defer lib.Put(b)
	b.WriteString("x")
	return b.Bytes() // want `memory of b is returned`
}

func text() string {
	b := lib.Get()
	defer lib.Put(b)
	return lib.Text(b.Bytes()) // want `memory of b is returned`
}

func copied() string {
	b := lib.Get()
	defer lib.Put(b)
	return b.String()
}

func closedTwice() error {
	r, err := lib.NewReader()
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Close()
}

func readerMemory() []byte {
	r, _ := lib.NewReader()
	defer r.Close()
	return r.Bytes() // want `memory of r is returned`
}

func freedTwice(n *lib.Node) {
	n.Free()
	n.Free() // want `n is put in nodes a second time`
}

func usedAfter(n *lib.Node) int {
	n.Free()
	return n.ID // want `n is read after it was put in nodes`
}

func usedBefore(n *lib.Node) int {
	id := n.ID
	n.Free()
	return id
}

func lost(n int) {
	b := lib.Get() // want `not put back on the path that ends here`
	if n > 3 {
		return
	}
	lib.Put(b)
}

func closed() error {
	r, err := lib.NewReader()
	if err != nil {
		return err
	}
	return r.Close()
}
