package content

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"github.com/klauspost/compress/gzip"

	"servery/internal/clock"
	"servery/internal/db"
)

// attempts is how often an import is tried when another one is quicker.
const attempts = 3

// Result tells what an import came to.
type Result struct {
	RevisionID int64
	// New is false when the newest revision was made of the very same folder.
	New bool
}

// Invalid tells what is wrong with a folder that cannot be imported.
type Invalid struct{ Faults []Fault }

// Error gives the number of faults and the first one.
func (e *Invalid) Error() string {
	return fmt.Sprintf("the content has %d faults, the first is %s", len(e.Faults), e.Faults[0])
}

// Import reads the folder and makes a new revision of it, all or nothing; running
// servers pick it up by themselves. The same folder as the newest revision changes
// nothing and is not even read. A folder with faults gives an [*Invalid].
//
// Pictures of older revisions stay: carts and orders may still show them.
func Import(ctx context.Context, d *db.DB, files fs.FS, now time.Time) (Result, error) {
	hash, err := Hash(files)
	if err != nil {
		return Result{}, fmt.Errorf("read the content: %w", err)
	}
	for attempt := 1; ; attempt++ {
		newest, err := newestRevision(ctx, d.Read())
		if err != nil {
			return Result{}, err
		}
		if newest.Hash == hash {
			return Result{RevisionID: newest.ID}, nil
		}
		id := newest.ID + 1
		err = importAs(ctx, d, id, hash, files, clock.Cut(now))
		if db.IsDuplicate(err, "revision") && attempt < attempts {
			continue // another import has just made this revision
		}
		return Result{RevisionID: id, New: err == nil}, err
	}
}

func importAs(ctx context.Context, d *db.DB, id int64, hash string, files fs.FS, now time.Time) error {
	folder, found := Read(files)
	if len(found) > 0 {
		return &Invalid{found}
	}
	media, err := folder.pictures.develop(ctx)
	if err != nil {
		return err
	}
	body, err := folder.pack()
	if err != nil {
		return err
	}
	return d.InTx(ctx, func(tx *db.Tx) error {
		if err := savePictures(ctx, tx, files, media); err != nil {
			return err
		}
		return saveRevision(ctx, tx, id, hash, body, now)
	})
}

// pack gives the document as a revision keeps it.
func (f *Folder) pack() ([]byte, error) {
	plain, err := json.Marshal(f.Document)
	if err != nil {
		return nil, fmt.Errorf("write the document: %w", err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
