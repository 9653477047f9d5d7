//go:build !linux

package db

import "syscall"

// limitUnanswered does nothing where the system has no such limit: keep-alive remains.
func limitUnanswered(_, _ string, _ syscall.RawConn) error { return nil }
