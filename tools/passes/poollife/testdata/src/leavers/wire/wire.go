// Package wire is a layer above line.
package wire

import (
	"context"
	"encoding/binary"

	"leavers/line"
)

type Client struct{ C *line.Conn }

// Call has the first bytes of body set, and delivers it.
func (c *Client) Call(ctx context.Context, id uint32, body []byte) error {
	binary.BigEndian.PutUint32(body, id)
	return c.C.Deliver(ctx, body)
}
