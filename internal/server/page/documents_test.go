package page

import (
	"testing"
	"time"

	"servery/internal/server/wire"
)

func TestDocuments_refuseAJobWhenTheQueueIsFull(t *testing.T) {
	t.Parallel()
	var workers []func()
	made := 0
	d := newDocuments(1<<20, func(documentKey, *keptDocument) *keptDocument {
		made++
		return &keptDocument{}
	}, func(work func()) { workers = append(workers, work) })
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	request := func(n int) *documentJob {
		return d.requestDocument(documentKey{site: "sushi", city: string(rune('a' + n)), page: wire.Home}, now)
	}
	first := request(0)
	for n := range maxDocumentsWaiting {
		if request(n) == nil {
			t.Fatalf("document %d is refused", n)
		}
	}
	if request(maxDocumentsWaiting) != nil {
		t.Error("one more than may wait is promised")
	}
	if request(0) != first {
		t.Error("one that waits already is made a second time")
	}
	for _, work := range workers {
		work()
	}
	if made != maxDocumentsWaiting || len(d.jobs) != 0 {
		t.Errorf("%d are made, %d wait", made, len(d.jobs))
	}
	if request(maxDocumentsWaiting) == nil {
		t.Error("a document is refused once there is room")
	}
}
