// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"github.com/spare-go/spare"
	"net"
)

var c59pool spare.Pool[net.UDPAddr]

func c59() {
	err := c59send(9)
	concurrently(func() { fmt.Println(err) }, func() {
		a := c59pool.Get()
		a.IP, a.Port = net.IPv4(10, 0, 0, 1), 53
	})
}

func c59send(port int) error {
	a := c59pool.Get()
	defer c59pool.Put(a)
	a.Port = port
	return &net.OpError{Op: "write", Net: "udp", Addr: a, Err: net.ErrClosed}
}
