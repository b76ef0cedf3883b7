package reflected

import (
	"reflect"
	"sync"
)

// Right: a pool of reflect.Values by type, who takes from it expects one.
type zeros struct {
	typ reflect.Type
	p   sync.Pool
}

func (z *zeros) get() reflect.Value {
	if v := z.p.Get(); v != nil {
		return v.(reflect.Value)
	}
	return reflect.New(z.typ)
}

func (z *zeros) put(v reflect.Value) {
	v.Elem().SetZero()
	z.p.Put(v) // want `by value`
}
