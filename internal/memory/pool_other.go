//go:build !linux || !(amd64 || arm64)

package memory

// releasePool does nothing: the allocator of SQLite and QuickJS has another lock here.
func releasePool() error { return nil }
