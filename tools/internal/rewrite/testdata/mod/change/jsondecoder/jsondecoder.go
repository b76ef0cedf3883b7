package jsondecoder

import (
	"encoding/json"
	"strings"
)

func parse(s string) (v map[string]int, err error) {
	err = json.NewDecoder(strings.NewReader(s)).Decode(&v) // site
	return v, err
}
