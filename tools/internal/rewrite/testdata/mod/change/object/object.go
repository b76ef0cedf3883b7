package object

import "encoding/json"

type order struct {
	ID    int
	Items []string
	notes [16]string
}

func (o *order) valid() bool { return o.ID > 0 && len(o.Items) > 0 && o.notes[0] == "" }

func count(data []byte) (int, error) {
	var o order // site
	if err := json.Unmarshal(data, &o); err != nil {
		return 0, err
	}
	if !o.valid() {
		return 0, nil
	}
	first := o
	return len(first.Items), nil
}
