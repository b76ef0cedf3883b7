// SPDX-License-Identifier: BSD-3-Clause

package jsonpool_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/spare-go/spare/codec/jsonpool"
)

type purchase struct {
	Customer string   `json:"customer"`
	Items    []string `json:"items"`
}

// Targets that are lent: what one document leaves out does not come from the one
// before.
func ExamplePool() {
	var purchases jsonpool.Pool[purchase]
	for _, doc := range []string{
		`{"customer": "Jack", "items": ["knife", "herbs"]}`,
		`{"items": ["bread"]}`,
	} {
		p, err := purchases.Decode(strings.NewReader(doc))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q buys %q\n", p.V.Customer, p.V.Items)
		purchases.Put(p)
	}
	// Output:
	// "Jack" buys ["knife" "herbs"]
	// "" buys ["bread"]
}

// In place of json.Marshal, into memory at hand.
func ExampleAppend() {
	line := []byte("order: ")
	line, err := jsonpool.Append(line, purchase{"Jill", []string{"rope"}})
	fmt.Printf("%s %v\n", line, err)
	// Output: order: {"customer":"Jill","items":["rope"]} <nil>
}

// In place of json.NewEncoder(w).Encode.
func ExampleEncode() {
	if err := jsonpool.Encode(os.Stdout, purchase{Customer: "Jill"}); err != nil {
		log.Fatal(err)
	}
	// Output: {"customer":"Jill","items":null}
}

// In place of json.NewDecoder(r).Decode, for one value that is all there is.
func ExampleDecode() {
	var p purchase
	err := jsonpool.Decode(strings.NewReader(`{"customer": "Jack"} and more`), &p)
	fmt.Println(err)
	// Output: invalid character 'a' after top-level value
}

// Limits and strictness for what comes from elsewhere.
func ExampleConfig() {
	conf := jsonpool.Config{MaxSize: 40, Flags: jsonpool.DisallowUnknownFields}
	var p purchase
	fmt.Println(conf.Unmarshal([]byte(`{"customer": "Jack", "admin": true}`), &p))
	err := conf.Decode(strings.NewReader(`{"customer": "`+strings.Repeat("J", 1000)+`"}`), &p)
	fmt.Println(errors.Is(err, jsonpool.ErrTooLarge), err)
	// Output:
	// json: unknown field "admin"
	// true jsonpool: the document exceeds the limit of 40 bytes
}

// Options of encoding/json for the encoders that are reused.
func ExampleStandard() {
	conf := jsonpool.Config{Codec: &jsonpool.Standard{Indent: "  ", NoEscapeHTML: true}}
	if err := conf.Encode(os.Stdout, purchase{"Jack & Jill", []string{"pail"}}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "customer": "Jack & Jill",
	//   "items": [
	//     "pail"
	//   ]
	// }
}
