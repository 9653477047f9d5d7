//go:build amd64 || arm64

package memory

import (
	"sync"
	_ "unsafe" // for linkname

	"modernc.org/memory"
)

// allocator is what SQLite and QuickJS allocate from, and allocatorMu is the lock that all its callers hold. It
// retains most of what was ever in use at once. It has a call that returns that to the system, but libc does not
// offer it. The tests fail when a new release of libc has other names for the two.
//
//go:linkname allocator modernc.org/libc.allocator
var allocator memory.Allocator

//go:linkname allocatorMu modernc.org/libc.allocatorMu
var allocatorMu sync.Mutex

// releasePool returns to the system the memory that SQLite and QuickJS have freed.
func releasePool() error {
	allocatorMu.Lock()
	defer allocatorMu.Unlock()
	return allocator.Trim()
}
