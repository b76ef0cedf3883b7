package deferred

// What a turn takes is the variable of a deferred closure.

func eachCopied(in chan []byte, f func(*chunk)) {
	var last []byte
	for b := range in {
		p := pool.Get().(*chunk)
		defer func() { // want `the Put of what is taken is deferred until eachCopied returns`
			if p.refs.Load() == 0 {
				pool.Put(p)
			}
		}()
		p.b = append(p.b[:0], last...)
		last = b
		f(p)
	}
}

type chunkList struct{ all []*chunk }

// right: the list leads to all of them until the function returns
func (l *chunkList) eachListed(in chan []byte, f func([]*chunk)) {
	for b := range in {
		p := pool.Get().(*chunk)
		defer func() {
			if p.refs.Load() == 0 {
				pool.Put(p)
			}
		}()
		p.b = append(p.b[:0], b...)
		l.all = append(l.all, p)
		f(l.all)
	}
}
