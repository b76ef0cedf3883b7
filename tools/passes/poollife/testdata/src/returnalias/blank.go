package returnalias

import (
	"encoding/json"
	"sync"
)

type answer struct {
	Name  string
	Items []string
	raw   [64]byte
}

var answers = sync.Pool{New: func() any { return new(answer) }}

// Whoever takes one starts with an empty one: its slices are never used again.
func takeAnswer() *answer {
	x := answers.Get().(*answer)
	*x = answer{}
	return x
}

func items(data []byte) ([]string, error) {
	x := takeAnswer()
	defer answers.Put(x)
	if err := json.Unmarshal(data, x); err != nil {
		return nil, err
	}
	return x.Items, nil
}

func raw() []byte {
	x := takeAnswer()
	defer answers.Put(x)
	return x.raw[:] // want `memory of x is returned while the deferred call puts it in answers`
}

func itself(data []byte) (*answer, error) {
	x := takeAnswer()
	defer answers.Put(x)
	return x, json.Unmarshal(data, x) // want `x is returned while the deferred call puts it in answers`
}
