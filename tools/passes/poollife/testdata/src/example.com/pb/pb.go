package pb

type Order struct {
	Id    uint64
	Items []string
}

func OrderFromVTPool() *Order { return new(Order) }

func (m *Order) ReturnToVTPool()               {}
func (m *Order) UnmarshalVT(data []byte) error { return nil }
