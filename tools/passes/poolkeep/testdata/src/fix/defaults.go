package fix

import (
	"encoding/json"
	"io"
	"os"
	"sync"
)

// What New sets, no fix sets to zero: what depends on it would break. So none of these has one.

type happening struct {
	Name string
	Tags []string
	seen map[string]int
}

var happenings = sync.Pool{New: func() any { return &happening{seen: map[string]int{}} }}

func decodeEvent(r io.Reader) (string, error) {
	e := happenings.Get().(*happening)
	defer happenings.Put(e)                              // want `field seen of the pooled happening is filled in use \(line 26\) and never emptied`
	if err := json.NewDecoder(r).Decode(e); err != nil { // want `e, taken from happenings at line 21, is decoded into without a reset`
		return "", err
	}
	e.seen[e.Name]++
	return e.Name, nil
}

type shift struct {
	out  io.Writer
	name string
	tags []string
}

func newShift() *shift { return &shift{out: os.Stdout, name: "default", tags: []string{"all"}} }

var shifts = sync.Pool{New: func() any { return newShift() }}

func run(w io.Writer, name string, tags []string) {
	j := shifts.Get().(*shift)
	defer shifts.Put(j) // want `shifts keeps j, put at line 42, whatever its size`
	if w != nil {
		j.out = w
	}
	if name != "" {
		j.name = name
	}
	j.tags = append(j.tags, tags...)        // want `field tags of j, taken from shifts at line .*, is appended to as the last user left it`
	io.WriteString(j.out, j.name+j.tags[0]) // want `field out of j, taken from shifts at line 41, is used as the last user left it` `field name of j, taken from shifts at line 41, is read as the last user left it`
}

type plainJob struct {
	tags []string
	name string
}

// Nor where it is not in view what the pool makes.
type owner struct{ shifts *sync.Pool }

func (o *owner) run(tags []string) int {
	j := o.shifts.Get().(*plainJob)
	defer o.shifts.Put(j)            // want `shifts keeps j, put at line 63, whatever its size`
	j.tags = append(j.tags, tags...) // want `field tags of j, taken from shifts at line .*, is appended to as the last user left it`
	return len(j.tags)
}
