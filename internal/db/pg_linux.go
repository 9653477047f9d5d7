package db

import (
	"strings"
	"syscall"
)

// tcpUserTimeout is the option's number, which package syscall does not name.
const tcpUserTimeout = 0x12

// limitUnanswered bounds how long data that was sent may stay unanswered.
func limitUnanswered(network, _ string, raw syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(userTimeout.Milliseconds()))
	})
	if err != nil {
		return err
	}
	return failed
}
