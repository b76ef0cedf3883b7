package websocket

type BufferPool interface {
	Get() interface{}
	Put(interface{})
}

type Upgrader struct{ WriteBufferPool BufferPool }
