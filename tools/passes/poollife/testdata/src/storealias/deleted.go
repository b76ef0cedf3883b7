package storealias

import "sync"

type transaction struct {
	id  [12]byte
	raw []byte
}

var transactions = sync.Pool{New: func() any { return new(transaction) }}

type agent interface{ Start(id [12]byte) error }

type client struct {
	mu sync.Mutex
	t  map[[12]byte]*transaction
	a  agent
}

func (c *client) start(t *transaction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t[t.id] = t
}

func (c *client) delete(id [12]byte) {
	c.mu.Lock()
	if c.t != nil {
		delete(c.t, id)
	}
	c.mu.Unlock()
}

func (c *client) retryRight(t *transaction) error {
	id := t.id
	c.start(t)
	if err := c.a.Start(id); err != nil {
		c.delete(id)
		transactions.Put(t)
		return err
	}
	return nil
}

func (c *client) retry(t *transaction) error {
	id := t.id
	c.start(t) // want `an element of a slice or map keeps memory of t after the value was put in transactions`
	if err := c.a.Start(id); err != nil {
		transactions.Put(t)
		return err
	}
	return nil
}
