package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"servery/internal/db"
	"servery/internal/queue"
)

// sqliteTemplate migrates one file in the life of the test program; each test gets
// a copy.
var sqliteTemplate = sync.OnceValues(func() (body []byte, err error) {
	dir, err := os.MkdirTemp("", "servery-template")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover temporary folder is no fault of the test

	ctx := context.Background()
	d, err := db.Open(ctx, db.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	_, err = db.Migrate(ctx, d, queue.Migrate)
	// Closing moves the write-ahead log into the file.
	if closeErr := d.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, db.File))
})
