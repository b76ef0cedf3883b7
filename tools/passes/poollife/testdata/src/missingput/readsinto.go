// SPDX-License-Identifier: BSD-3-Clause

package missingput

import "sync"

// A method that reads into what it is given, and tells how much, keeps nothing of it.

type record [][]byte

var records = sync.Pool{New: func() any { return new(record) }}

func takeRecord() *record { return records.Get().(*record) }

func giveRecord(r *record) {
	clear(*r)
	*r = (*r)[:0]
	records.Put(r)
}

type fieldsSource interface {
	ReadFields(into record) (int, error)
	ReadAll(into []*record) (int, error)
	Keep(into []*record) error
}

func nextFields(src fieldsSource) (*record, error) {
	r := takeRecord() // want `r, taken from records at line 28, is not put back on the path that ends here`
	n, err := src.ReadFields(*r)
	if n > 0 {
		return r, nil
	}
	return nil, err
}

func nextOf(src fieldsSource) (*record, error) {
	one := []*record{takeRecord()} // want `the value taken from records is not put back on the path that ends here`
	n, err := src.ReadAll(one)
	if n > 0 {
		return one[0], nil
	}
	return nil, err
}

func nextPut(src fieldsSource) (*record, error) { // right
	one := []*record{takeRecord()}
	n, err := src.ReadAll(one)
	if n > 0 {
		return one[0], nil
	}
	giveRecord(one[0])
	return nil, err
}

func nextKept(src fieldsSource, last bool) (*record, error) { // right: the source may keep what it is given
	one := []*record{takeRecord()}
	err := src.Keep(one)
	if last {
		return one[0], nil
	}
	return nil, err
}

func allOf(src fieldsSource, into []*record) (int, error) { // right: the caller has those that were filled
	for i := range into {
		into[i] = takeRecord()
	}
	n, err := src.ReadAll(into)
	for i := n; i < len(into); i++ {
		giveRecord(into[i])
		into[i] = nil
	}
	return n, err
}
