// SPDX-License-Identifier: BSD-3-Clause

package elsewhere

import (
	"bytes"
	"sync"
)

// What is taken out of a map before the lock is given back is not met there by who empties the map.
var drafts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func textOf(b *bytes.Buffer) string { return b.String() }

type outbox struct {
	mu   sync.Mutex
	byID map[string]*bytes.Buffer
}

func (o *outbox) pop(id string) string {
	o.mu.Lock()
	b, ok := o.byID[id]
	delete(o.byID, id)
	o.mu.Unlock()
	if !ok {
		return ""
	}
	return b.String()
}

func (o *outbox) popFound(id string) string {
	o.mu.Lock()
	b, ok := o.byID[id]
	if !ok {
		o.mu.Unlock()
		return ""
	}
	delete(o.byID, id)
	o.mu.Unlock()
	return b.String()
}

func (o *outbox) popIf(id string) string {
	o.mu.Lock()
	b := o.byID[id]
	if b != nil {
		delete(o.byID, id)
	}
	o.mu.Unlock()
	if b == nil {
		return ""
	}
	return b.String()
}

func (o *outbox) replace(id string, with *bytes.Buffer) string {
	o.mu.Lock()
	b := o.byID[id]
	o.byID[id] = with
	o.mu.Unlock()
	if b == nil {
		return ""
	}
	return b.String()
}

func (o *outbox) take(id string) *bytes.Buffer {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.byID[id]
	delete(o.byID, id)
	return b
}

func (o *outbox) send(id string) string {
	b := o.take(id)
	if b == nil {
		return ""
	}
	return textOf(b)
}

func (o *outbox) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		drafts.Put(b)
		delete(o.byID, id)
	}
}

func (o *outbox) clearBefore() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		delete(o.byID, id)
		drafts.Put(b)
	}
}

// Another entry is taken out.
type otherOutbox struct {
	mu   sync.Mutex
	byID map[string]*bytes.Buffer
}

func (o *otherOutbox) popOther(id, old string) string {
	o.mu.Lock()
	b, ok := o.byID[id]
	delete(o.byID, old)
	o.mu.Unlock()
	if !ok {
		return ""
	}
	return b.String()
}

func (o *otherOutbox) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		drafts.Put(b) // want `was in byID, where popOther finds it and uses it when it has given back the lock`
		delete(o.byID, id)
	}
}

// It is taken out on one way only.
type someOutbox struct {
	mu   sync.Mutex
	byID map[string]*bytes.Buffer
}

func (o *someOutbox) pop(id string, keep bool) string {
	o.mu.Lock()
	b, ok := o.byID[id]
	if !keep {
		delete(o.byID, id)
	}
	o.mu.Unlock()
	if !ok {
		return ""
	}
	return b.String()
}

func (o *someOutbox) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		delete(o.byID, id)
		drafts.Put(b) // want `was in byID, where pop finds it and uses it when it has given back the lock`
	}
}

// It is taken out when the lock was given back in between.
type lateOutbox struct {
	mu   sync.Mutex
	byID map[string]*bytes.Buffer
}

func (o *lateOutbox) pop(id string) string {
	o.mu.Lock()
	b, ok := o.byID[id]
	o.mu.Unlock()
	if !ok {
		return ""
	}
	o.mu.Lock()
	delete(o.byID, id)
	o.mu.Unlock()
	return b.String()
}

func (o *lateOutbox) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		drafts.Put(b) // want `was in byID, where pop finds it and uses it when it has given back the lock`
		delete(o.byID, id)
	}
}

// A function that finds without taking out, for one that uses.
type leftOutbox struct {
	mu   sync.Mutex
	byID map[string]*bytes.Buffer
}

func (o *leftOutbox) find(id string) *bytes.Buffer {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byID[id]
}

func (o *leftOutbox) send(id string) string {
	b := o.find(id)
	if b == nil {
		return ""
	}
	return textOf(b)
}

func (o *leftOutbox) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, b := range o.byID {
		drafts.Put(b) // want `was in byID, where find finds it for send, which uses it without the lock`
		delete(o.byID, id)
	}
}
