// Package memory returns to the system the memory that the process has freed: that of Go's heap, and that of SQLite and
// QuickJS, which is outside of it.
package memory

import "runtime/debug"

// Release returns all memory that is free, after a collection of garbage. It takes some ten milliseconds of a
// processor, so it is for moments after which nothing of the kind is needed for long. It is safe for concurrent
// use.
func Release() error {
	debug.FreeOSMemory()
	return releasePool()
}
