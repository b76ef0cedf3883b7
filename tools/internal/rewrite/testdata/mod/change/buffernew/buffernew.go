package buffernew

import "bytes"

func join(parts []string) string {
	var b bytes.Buffer
	for _, part := range parts {
		b.WriteString(part) // site
	}
	return b.String()
}
