package pool

func Get(length int) []byte { return make([]byte, length) }
func Put(buf []byte)        {}
