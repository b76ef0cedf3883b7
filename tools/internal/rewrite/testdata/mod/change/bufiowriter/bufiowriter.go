package bufiowriter

import (
	"bufio"
	"net"
)

func reply(c net.Conn, lines []string) error {
	bw := bufio.NewWriterSize(c, 16<<10) // site
	for _, l := range lines {
		bw.WriteString(l)
		bw.WriteByte('\n')
	}
	return bw.Flush()
}
