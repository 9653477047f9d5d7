package db_test

import (
	"net"
	"syscall"
	"testing"

	"servery/internal/db"
)

// Without the option Linux sends again for a quarter of an hour what the machine of a database that
// vanished does not acknowledge.
func TestDialer_boundsWhatAVanishedMachineLeavesUnanswered(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := db.NewDialer().DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	const userTimeout = 0x12 // TCP_USER_TIMEOUT
	var milliseconds int
	var failed error
	err = raw.Control(func(fd uintptr) {
		milliseconds, failed = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout)
	})
	if err != nil || failed != nil || milliseconds != 8000 {
		t.Errorf("%d ms, %v, %v", milliseconds, err, failed)
	}
}
