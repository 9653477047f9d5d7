package main

import (
	"bufio"
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
)

// bareAnswer is the answer that the bare handler sends to every request.
type bareAnswer struct {
	Header map[string]string
	Body   []byte
}

// serveBare answers every request with the bareAnswer in the file args[0]. Its rate is the upper limit of
// what reads of the program can reach. It runs in a process of its own, as the program does, and prints its
// address first.
func serveBare(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("the bare handler takes one file")
	}
	text, err := os.ReadFile(args[0]) //nolint:gosec // written by the process that started this one
	if err != nil {
		return err
	}
	var a bareAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, listener.Addr()); err != nil {
		return err
	}
	length := strconv.Itoa(len(a.Body))
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range a.Header {
				w.Header().Set(name, value)
			}
			w.Header().Set("Content-Length", length)
			_, _ = w.Write(a.Body) // it fails only when the client has closed the connection
		}),
	}
	return server.Serve(listener)
}

// startBare starts a process of the bare handler that sends the program's answer a. It returns the address
// of the handler, and a function that ends the process.
func startBare(ctx context.Context, g *environment, a answer, contentType string) (addr string, stop func() error, err error) {
	file, err := os.CreateTemp(g.dir, "bare-*.json")
	if err != nil {
		return "", nil, err
	}
	answer := bareAnswer{Header: map[string]string{"Content-Type": contentType, "Content-Encoding": a.encoding}, Body: a.body}
	err = errors.Join(json.NewEncoder(file).Encode(answer), file.Close())
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
