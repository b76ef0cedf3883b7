package aliases

import "sync"

// Code that is chosen at run time writes to the first slice, which is made as long as it has room, and returns it.

var decodeRoom = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

type unpacker struct {
	unpack func(dst, src []byte) ([]byte, error)
	use    func([]byte) error
}

func (u *unpacker) late(packed []byte) error {
	b := decodeRoom.Get().(*[]byte)
	plain, err := u.unpack((*b)[:cap(*b)], packed)
	decodeRoom.Put(b)
	if err != nil {
		return err
	}
	return u.use(plain) // want `b is passed to a function after it was put in decodeRoom`
}

func (u *unpacker) inTime(packed []byte) error {
	b := decodeRoom.Get().(*[]byte)
	defer decodeRoom.Put(b)
	plain, err := u.unpack((*b)[:cap(*b)], packed)
	if err != nil {
		return err
	}
	return u.use(plain)
}

func (u *unpacker) copied(packed []byte) ([]byte, error) {
	b := decodeRoom.Get().(*[]byte)
	defer decodeRoom.Put(b)
	plain, err := u.unpack((*b)[:cap(*b)], packed)
	if err != nil {
		return nil, err
	}
	return append([]byte(nil), plain...), nil
}

func (u *unpacker) returned(packed []byte) ([]byte, error) {
	b := decodeRoom.Get().(*[]byte)
	defer decodeRoom.Put(b)
	return u.unpack((*b)[:cap(*b)], packed) // want `memory of b is returned while the deferred call puts it in decodeRoom`
}

// A buffer alone is filled: what comes back may be anything.
type loader struct {
	load func(into []byte) ([]byte, error)
	use  func([]byte) error
}

func (l *loader) loaded() error {
	b := decodeRoom.Get().(*[]byte)
	got, err := l.load((*b)[:cap(*b)])
	decodeRoom.Put(b)
	if err != nil {
		return err
	}
	return l.use(got)
}
