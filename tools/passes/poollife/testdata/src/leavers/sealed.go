package leavers

import (
	"crypto/cipher"

	"leavers/kegs"
)

// What is sealed is in a keg of another package, of whose memory nothing is known but that it is pooled.
func sealed(aead cipher.AEAD, nonce []byte) []byte {
	k := kegs.New()
	defer k.Release()
	return aead.Seal(nil, nonce, k.Bytes(), nil)
}

func sealedAll(aead cipher.AEAD, nonce []byte, n int) (out []byte) {
	for _, k := range kegs.Fill(n) {
		out = aead.Seal(out, nonce, k.Bytes(), nil)
		k.Release()
	}
	return out
}

type sealer interface {
	Seal(c kegs.Crate, b []byte) []byte
}

func crated(s sealer) []byte {
	c := kegs.Fill(2)
	b := s.Seal(c, c[0].Bytes())
	for _, k := range c {
		k.Release()
	}
	return b
}

type shipper interface{ Ship(kegs.Crate) error }

// Whoever ships a crate has its kegs.
func ship(to shipper) error {
	k := kegs.New()
	c := make(kegs.Crate, 0, 2)
	c = append(c, k)
	return to.Ship(c)
}

func shipOne(to shipper) error { return to.Ship(kegs.Crate{kegs.New()}) }

// A function of the caller's may give back what it is given.
func through(f func([]byte) []byte) int {
	k := kegs.New()
	defer k.Release()
	return len(f(k.Bytes()))
}
