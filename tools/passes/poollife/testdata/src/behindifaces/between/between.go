// Package between passes on what package codecs makes.
package between

import "behindifaces/codecs"

// New makes a lender.
func New() codecs.Lender { return codecs.NewLender() }

// Encoder makes an encoder.
func Encoder() codecs.Encoder {
	e := codecs.NewEncoder()
	return e
}
