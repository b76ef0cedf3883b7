package halfreset

import (
	"bufio"
	"errors"
	"strings"
	"sync"
)

// A head gathers keys.
type head struct{ keys map[string]string }

func (h *head) empty() { clear(h.keys) }

func (h *head) parse(r *bufio.Reader) error {
	for {
		s, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		k, v, ok := strings.Cut(strings.TrimSpace(s), "=")
		if !ok {
			return nil
		}
		h.keys[k] = v
	}
}

type conv struct {
	head head
}

var convs = sync.Pool{New: func() any { return &conv{head: head{map[string]string{}}} }}

// Wrong: an error leaves the loop with keys in the head.
func serve(r *bufio.Reader, handle func(*conv) bool) error {
	c := convs.Get().(*conv)
	var err error
	for {
		if err = c.head.parse(r); err != nil {
			break
		}
		more := handle(c)
		c.head.empty()
		if !more {
			break
		}
	}
	convs.Put(c) // want `field keys of the pooled conv is emptied on some ways only`
	return err
}

// Right: emptied at each end.
type conv2 struct{ keys map[string]string }

var convs2 = sync.Pool{New: func() any { return &conv2{map[string]string{}} }}

func (h *conv2) empty() { clear(h.keys) }

func (h *conv2) add(s string) error {
	if h.keys[s] = s + "!"; len(h.keys) > 9 {
		return errors.New("too many")
	}
	return nil
}

func serve2(in []string) error {
	c := convs2.Get().(*conv2)
	for _, s := range in {
		if err := c.add(s); err != nil {
			c.empty()
			convs2.Put(c)
			return err
		}
	}
	n := len(c.keys)
	c.empty()
	convs2.Put(c)
	if n == 0 {
		return errors.New("none")
	}
	return nil
}

// Right: a flag tells whether it was emptied.
type conv3 struct{ keys map[string]string }

var convs3 = sync.Pool{New: func() any { return &conv3{map[string]string{}} }}

func (h *conv3) empty() { clear(h.keys) }

func (h *conv3) add(s string) error {
	if h.keys[s] = s + "!"; len(h.keys) > 9 {
		return errors.New("too many")
	}
	return nil
}

func serve3(in []string) (err error) {
	c := convs3.Get().(*conv3)
	clean := true
	for _, s := range in {
		clean = false
		if err = c.add(s); err != nil {
			break
		}
		c.empty()
		clean = true
	}
	if !clean {
		c.empty()
	}
	convs3.Put(c)
	return err
}

// Right: what failed has added nothing.
type conv4 struct{ keys map[string]string }

var convs4 = sync.Pool{New: func() any { return &conv4{map[string]string{}} }}

func (h *conv4) empty() { clear(h.keys) }

func (h *conv4) add(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	h.keys[s] = s + "!"
	return nil
}

func serve4(s string) error {
	c := convs4.Get().(*conv4)
	if err := c.add(s); err != nil {
		convs4.Put(c)
		return err
	}
	println(len(c.keys))
	c.empty()
	convs4.Put(c)
	return nil
}

// Right: who takes one empties it.
type conv5 struct{ keys map[string]string }

var convs5 = sync.Pool{New: func() any { return &conv5{map[string]string{}} }}

func take5() *conv5 {
	c := convs5.Get().(*conv5)
	c.empty()
	return c
}

func (h *conv5) empty() { clear(h.keys) }

func serve5(in []string) error {
	c := take5()
	defer convs5.Put(c)
	for _, s := range in {
		c.keys[s] = s + "!"
		if len(c.keys) > 3 {
			return errors.New("too many")
		}
	}
	c.empty()
	return nil
}

// Wrong: a slice, and a deferred Put; the ways themselves show that.
type conv6 struct{ parts []string }

var convs6 = sync.Pool{New: func() any { return new(conv6) }}

func serve6(in []string, join func([]string) error) error {
	c := convs6.Get().(*conv6)
	defer convs6.Put(c)
	for _, s := range in {
		if s == "" {
			return errors.New("empty")
		}
		c.add(s)
	}
	err := join(c.parts)
	clear(c.parts)
	c.parts = c.parts[:0]
	return err
}

func (c *conv6) add(s string) { c.parts = append(c.parts, s) } // want `field parts of c, taken from convs6 at line 176, is appended to as the last user left it`
