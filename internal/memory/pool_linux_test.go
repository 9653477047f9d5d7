//go:build amd64 || arm64

package memory

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"modernc.org/libc"
)

// isMapped reports whether the process has a mapping at the address.
func isMapped(t *testing.T, address uintptr) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			t.Fatal(err)
		}
		if from <= address && address < to {
			return true
		}
	}
	return false
}

func TestRelease_returnsWhatWasFreed(t *testing.T) {
	t.Parallel()
	tls := libc.NewTLS()
	defer tls.Close()
	const size = 100 << 20 // no other test needs as much
	block := libc.Xmalloc(tls, size)
	libc.Xfree(tls, block)
	if !isMapped(t, block) {
		t.Error("the allocator retains nothing any more: releasePool is not needed")
	}
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	if isMapped(t, block) {
		t.Error("freed memory was not returned")
	}
	again := libc.Xmalloc(tls, size)
	if again == 0 {
		t.Fatal("no memory")
	}
	libc.Xfree(tls, again)
}

func TestRelease_holdsTheLockOfTheAllocator(t *testing.T) {
	t.Parallel()
	allocatorMu.Lock()
	allocated := make(chan struct{})
	go func() {
		defer close(allocated)
		libc.Xfree(nil, libc.Xmalloc(nil, 1))
	}()
	for !isWaitingInMalloc(t.Name()) {
		select {
		case <-allocated:
			allocatorMu.Unlock()
			t.Fatal("memory is allocated without the lock")
		default:
			runtime.Gosched()
		}
	}
	allocatorMu.Unlock()
	<-allocated
}

// isWaitingInMalloc reports whether a goroutine of the test waits for a lock to allocate memory.
func isWaitingInMalloc(test string) bool {
	stacks := make([]byte, 1<<20)
	for goroutine := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		state, calls, _ := strings.Cut(goroutine, "\n")
		if strings.Contains(state, "[sync.Mutex.Lock") && strings.Contains(calls, "libc.Xmalloc(") && strings.Contains(calls, test) {
			return true
		}
	}
	return false
}
