// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// cacheProg serves the go command's GOCACHEPROG protocol from a directory, as
// go doc cmd/go/internal/cacheprog describes it: JSON requests, each followed
// by its body as a JSON string in base64, answered by JSON responses.
func cacheProg(r io.Reader, w io.Writer, dir string) error {
	type request struct {
		ID                 int64
		Command            string
		ActionID, OutputID []byte
		BodySize           int64
	}
	type response struct {
		ID            int64
		Err           string   `json:",omitempty"`
		KnownCommands []string `json:",omitempty"`
		Miss          bool     `json:",omitempty"`
		OutputID      []byte   `json:",omitempty"`
		Size          int64    `json:",omitempty"`
		DiskPath      string   `json:",omitempty"`
	}
	in, out := json.NewDecoder(bufio.NewReader(r)), json.NewEncoder(w)
	if err := out.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var req request
		if err := in.Decode(&req); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		res := response{ID: req.ID}
		action := filepath.Join(dir, hex.EncodeToString(req.ActionID)+"-a")
		switch req.Command {
		case "get":
			link, err := os.ReadFile(action)
			if os.IsNotExist(err) {
				res.Miss = true
				break
			} else if err != nil {
				return err
			}
			if res.OutputID, err = hex.DecodeString(string(link)); err != nil {
				return err
			}
			res.DiskPath = filepath.Join(dir, string(link)+"-d")
			info, err := os.Stat(res.DiskPath)
			if err != nil {
				return err
			}
			res.Size = info.Size()
		case "put":
			var body string
			if req.BodySize > 0 {
				if err := in.Decode(&body); err != nil {
					return err
				}
			}
			id := hex.EncodeToString(req.OutputID)
			res.DiskPath = filepath.Join(dir, id+"-d")
			if err := store(res.DiskPath, base64.NewDecoder(base64.StdEncoding, strings.NewReader(body))); err != nil {
				return err
			}
			if err := store(action, strings.NewReader(id)); err != nil {
				return err
			}
		case "close":
			return out.Encode(res)
		default:
			res.Err = fmt.Sprintf("unknown command %q", req.Command)
		}
		if err := out.Encode(res); err != nil {
			return err
		}
	}
}

// store writes a file that other processes may read at any time.
func store(name string, r io.Reader) error {
	f, err := os.CreateTemp(filepath.Dir(name), "tmp-")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if err := f.Close(); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
