package lifecycle

import (
	"io"

	"lifecycle/other"
)

// Objects in a container of the function's own, which nobody closes.
func mergeLost(rs []io.Reader) (total int) {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r)) // want `an element of all, taken from pages at line 13, is not put back on any path`
	}
	for _, s := range all {
		n, err := s.Read(nil)
		if err != nil {
			return total
		}
		total += n
	}
	return total
}

func merge(rs []io.Reader) (total int) {
	all := make([]*careful, len(rs))
	defer func() {
		for _, s := range all {
			s.Close()
		}
	}()
	for i, r := range rs {
		all[i] = newCareful(r)
	}
	for _, s := range all {
		n, _ := s.Read(nil)
		total += n
	}
	return total
}

func closeAll(all []*careful) {
	for _, s := range all {
		s.Close()
	}
}

func mergeHelped(rs []io.Reader) int {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r))
	}
	defer closeAll(all)
	return len(all)
}

func mergePopped(rs []io.Reader) (total int) {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r))
	}
	for len(all) > 0 {
		s := all[len(all)-1]
		all = all[:len(all)-1]
		s.Close()
		total++
	}
	return total
}

func mergeReturned(rs []io.Reader) []*careful {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r))
	}
	return all
}

type multi struct{ all []*careful }

func (m *multi) Close() { closeAll(m.all) }

func mergeOwned(rs []io.Reader) int {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r))
	}
	m := &multi{all}
	defer m.Close()
	return len(m.all)
}

func byNameLost(rs map[string]io.Reader) (total int) {
	m := map[string]*careful{}
	for k, r := range rs {
		m[k] = newCareful(r) // want `m\[k\], taken from pages at line 96, is not put back on any path`
	}
	for _, s := range m {
		n, _ := s.Read(nil)
		total += n
	}
	return total
}

func byName(rs map[string]io.Reader) (total int) {
	m := map[string]*careful{}
	for k, r := range rs {
		m[k] = newCareful(r)
	}
	for _, s := range m {
		n, _ := s.Read(nil)
		total += n
		s.Close()
	}
	return total
}

// Code that is chosen at run time may close them.
func byNameGiven(rs map[string]io.Reader, use func(map[string]*careful)) {
	m := map[string]*careful{}
	for k, r := range rs {
		m[k] = newCareful(r)
	}
	use(m)
}

// A part that was made is lost when the whole cannot be.
type pair struct{ a, b *careful }

func newPairLost(r io.Reader, check func() error) (*pair, error) {
	p := &pair{a: newCareful(r)} // want `field a, taken from pages at line 131, is not put back on the path`
	if err := check(); err != nil {
		return nil, err
	}
	p.b = newCareful(r)
	return p, nil
}

func newPair(r io.Reader, check func() error) (*pair, error) {
	p := &pair{a: newCareful(r)}
	if err := check(); err != nil {
		p.a.Close()
		return nil, err
	}
	p.b = newCareful(r)
	return p, nil
}

// Code in between that only reads through an interface does not lose it.
func readThrough(r io.Reader) error {
	l := limit(newStream(r), 10)
	_, err := io.Copy(io.Discard, l)
	l.Close()
	return err
}

// Another package may take them over.
func mergeGiven(rs []io.Reader) {
	var all []*careful
	for _, r := range rs {
		all = append(all, newCareful(r))
	}
	for _, s := range all {
		other.Add(s)
	}
}
