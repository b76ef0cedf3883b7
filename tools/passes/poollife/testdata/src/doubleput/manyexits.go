package doubleput

import (
	"os"
	"sync"
)

// A helper that ends in many ways, of which its caller can tell two apart.

type parcel struct {
	data []byte
	n    int
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func deliver(names []string, b *parcel) error {
	defer parcels.Put(b)
	if err := os.Remove(names[0]); err != nil {
		return err
	}
	if err := os.Remove(names[1]); err != nil {
		return err
	}
	if err := os.Remove(names[2]); err != nil {
		return err
	}
	if err := os.Remove(names[3]); err != nil {
		return err
	}
	if err := os.Remove(names[4]); err != nil {
		return err
	}
	if err := os.Remove(names[5]); err != nil {
		return err
	}
	if err := os.Remove(names[6]); err != nil {
		return err
	}
	if err := os.Remove(names[7]); err != nil {
		return err
	}
	if err := os.Remove(names[8]); err != nil {
		return err
	}
	if err := os.Remove(names[9]); err != nil {
		return err
	}
	if err := os.Remove(names[10]); err != nil {
		return err
	}
	if err := os.Remove(names[11]); err != nil {
		return err
	}
	if err := os.Remove(names[12]); err != nil {
		return err
	}
	if err := os.Remove(names[13]); err != nil {
		return err
	}
	if err := os.Remove(names[14]); err != nil {
		return err
	}
	if err := os.Remove(names[15]); err != nil {
		return err
	}
	if err := os.Remove(names[16]); err != nil {
		return err
	}
	if err := os.Remove(names[17]); err != nil {
		return err
	}
	if err := os.Remove(names[18]); err != nil {
		return err
	}
	if err := os.Remove(names[19]); err != nil {
		return err
	}
	if err := os.Remove(names[20]); err != nil {
		return err
	}
	if err := os.Remove(names[21]); err != nil {
		return err
	}
	if err := os.Remove(names[22]); err != nil {
		return err
	}
	if err := os.Remove(names[23]); err != nil {
		return err
	}
	if err := os.Remove(names[24]); err != nil {
		return err
	}
	if err := os.Remove(names[25]); err != nil {
		return err
	}
	return nil
}

func deliverAndPut(names []string) error {
	b := parcels.Get().(*parcel)
	b.data = b.data[:0]
	err := deliver(names, b)
	if err != nil {
		parcels.Put(b) // want `b is put`
	}
	return err
}

func deliverOnly(names []string) error {
	b := parcels.Get().(*parcel)
	b.data = b.data[:0]
	return deliver(names, b)
}

// putsOnError leaves the value to its caller where all went well.
func putsOnError(names []string, b *parcel) (err error) {
	defer func() {
		if err != nil {
			parcels.Put(b)
		}
	}()
	if err := os.Remove(names[0]); err != nil {
		return err
	}
	if err := os.Remove(names[1]); err != nil {
		return err
	}
	if err := os.Remove(names[2]); err != nil {
		return err
	}
	if err := os.Remove(names[3]); err != nil {
		return err
	}
	if err := os.Remove(names[4]); err != nil {
		return err
	}
	if err := os.Remove(names[5]); err != nil {
		return err
	}
	if err := os.Remove(names[6]); err != nil {
		return err
	}
	if err := os.Remove(names[7]); err != nil {
		return err
	}
	if err := os.Remove(names[8]); err != nil {
		return err
	}
	if err := os.Remove(names[9]); err != nil {
		return err
	}
	if err := os.Remove(names[10]); err != nil {
		return err
	}
	if err := os.Remove(names[11]); err != nil {
		return err
	}
	if err := os.Remove(names[12]); err != nil {
		return err
	}
	if err := os.Remove(names[13]); err != nil {
		return err
	}
	if err := os.Remove(names[14]); err != nil {
		return err
	}
	if err := os.Remove(names[15]); err != nil {
		return err
	}
	if err := os.Remove(names[16]); err != nil {
		return err
	}
	if err := os.Remove(names[17]); err != nil {
		return err
	}
	if err := os.Remove(names[18]); err != nil {
		return err
	}
	if err := os.Remove(names[19]); err != nil {
		return err
	}
	if err := os.Remove(names[20]); err != nil {
		return err
	}
	if err := os.Remove(names[21]); err != nil {
		return err
	}
	if err := os.Remove(names[22]); err != nil {
		return err
	}
	if err := os.Remove(names[23]); err != nil {
		return err
	}
	if err := os.Remove(names[24]); err != nil {
		return err
	}
	if err := os.Remove(names[25]); err != nil {
		return err
	}
	return nil
}

func putTheRest(names []string) error {
	b := parcels.Get().(*parcel)
	b.data = b.data[:0]
	if err := putsOnError(names, b); err != nil {
		return err
	}
	parcels.Put(b)
	return nil
}

func putInAnyCase(names []string) error {
	b := parcels.Get().(*parcel)
	b.data = b.data[:0]
	err := putsOnError(names, b)
	parcels.Put(b) // want `b is put`
	return err
}
