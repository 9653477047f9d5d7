package operator

import (
	"testing"

	"servery/internal/access"
	"servery/internal/audit"
)

// One account that opens streams without end keeps no other out, and a stream that ends makes room for the next.
func TestStreams_ofOneReaderLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	var open streams
	courier, kitchen := access.Principal{Kind: audit.Staff, ID: 1}, access.Principal{Kind: audit.Token, ID: 1}
	for range maxOfOne {
		if !open.enter(courier) {
			t.Fatal("a stream was refused before the reader had its share")
		}
	}
	if open.enter(courier) {
		t.Error("one reader has more than its share")
	}
	for range maxStreams - maxOfOne {
		if !open.enter(kitchen) {
			t.Fatal("another reader was refused")
		}
	}
	if open.enter(access.Principal{Kind: audit.Staff, ID: 2}) {
		t.Error("the process has more streams than it may")
	}
	open.leave(courier)
	if !open.enter(courier) {
		t.Error("a stream that has ended keeps its place")
	}
}
