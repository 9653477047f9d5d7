package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"servery/internal/db"
)

// bareContent is what a process of the bare handler serves.
type bareContent struct {
	// Answers are by the path of the request. The one of the path "" is sent to all others.
	Answers map[string]bareAnswer
	// URL and Folder name the database of the transactions, as in [db.Config]. It is not opened where both are empty.
	URL, Folder string
}

// bareAnswer is an answer of the bare handler.
type bareAnswer struct {
	Header map[string]string
	Body   []byte
	// Rows are how many rows are inserted in one transaction before the answer is sent; without any there is none.
	Rows int
}

// serveBare answers requests with the bareContent in the file args[0]. Its rate is the upper limit of what the
// program can reach. It runs in a process of its own, as the program does, and prints its address first.
func serveBare(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("the bare handler takes one file")
	}
	text, err := os.ReadFile(args[0]) //nolint:gosec // written by the process that started this one
	if err != nil {
		return err
	}
	var content bareContent
	if err := json.Unmarshal(text, &content); err != nil {
		return err
	}
	var database *db.DB
	if content.URL != "" || content.Folder != "" {
		if database, err = db.Open(ctx, db.Config{URL: content.URL, Dir: content.Folder}); err != nil {
			return err
		}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, listener.Addr()); err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: content.handler(ctx, database)}
	return server.Serve(listener)
}

// handler returns the bare handler, which inserts the rows of its answers into the database.
func (content bareContent) handler(ctx context.Context, database *db.DB) http.HandlerFunc {
	body := bytes.Repeat([]byte("x"), rowBytes)
	return func(w http.ResponseWriter, r *http.Request) {
		a, isOwn := content.Answers[r.URL.Path]
		if !isOwn {
			a = content.Answers[""]
		}
		if a.Rows > 0 {
			if err := insertInTx(ctx, database, a.Rows, body); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		for name, value := range a.Header {
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
		_, _ = w.Write(a.Body) // it fails only when the client has closed the connection
	}
}

// startBare starts a process of the bare handler. It returns the address of the handler, and a function that ends
// the process.
func startBare(ctx context.Context, g *environment, content bareContent) (addr string, stop func() error, err error) {
	file, err := os.CreateTemp(g.dir, "bare-*.json")
	if err != nil {
		return "", nil, err
	}
	err = errors.Join(json.NewEncoder(file).Encode(content), file.Close())
	if err != nil {
		return "", nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, bareCommand, file.Name())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		if err := cmd.Process.Kill(); err != nil {
			return err
		}
		_ = cmd.Wait() // its error is that the process was killed
		return nil
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, errors.Join(err, stop())
	}
	return strings.TrimSpace(line), stop, nil
}
