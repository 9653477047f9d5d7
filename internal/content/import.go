package content

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
)

// attempts is how often an import is attempted when another one is quicker.
const attempts = 3

// Options say how a folder is imported.
type Options struct {
	// Source is the folder's name as revisions list it.
	Source string
	// OnlyEmpty leaves a database as it is that has a revision, also one that another process has
	// made at the same time.
	OnlyEmpty bool
	// Now is when the revision is made.
	Now time.Time
	// Check refuses a document that was found without faults; nil takes each.
	Check func(*catalog.Document) error
	// Progress is called after each picture that had to be packed; nil does nothing.
	Progress func(done, of int)
	// FindProgram finds the encoders cwebp and avifenc; nil looks for them on the path.
	FindProgram func(name string) (string, error)
}

// Result is the outcome of an import.
type Result struct {
	// RevisionID is the newest revision.
	RevisionID int64
	// New is false when the newest revision was made of the very same folder, or when only
	// an empty database was to be filled and this one is not.
	New bool
	// Counts is what the folder holds; nothing when the database was left as it is.
	Counts Counts
	// Warnings are those of the folder, when it was read, and of the encoders.
	Warnings []Fault
}

// Invalid says what is wrong with a folder that cannot be imported: its faults, and its
// warnings among them.
type Invalid struct{ Faults []Fault }

// Error returns the number of faults and the first one.
func (e *Invalid) Error() string {
	count := 0
	var first Fault
	for _, f := range e.Faults {
		if f.Warning {
			continue
		}
		if count == 0 {
			first = f
		}
		count++
	}
	return fmt.Sprintf("the content has %d faults, the first is %s", count, first)
}

// Import reads the folder and makes a new revision of it, all or nothing; running servers pick it up
// by themselves. It makes none when the newest revision has the same files and the present format, nor with
// [Options.OnlyEmpty] when there is a revision; then the files are hashed but not parsed. A picture that was
// packed before is not packed again. It returns an [*Invalid] for a folder with faults.
func Import(ctx context.Context, d *db.DB, files fs.FS, o Options) (Result, error) {
	hash, err := Hash(files)
	if err != nil {
		return Result{}, fmt.Errorf("read the content: %w", err)
	}
	for attempt := 1; ; attempt++ {
		newest, err := newestRevision(ctx, d.Read())
		switch {
		case err != nil:
			return Result{}, err
		case o.OnlyEmpty && newest.ID != 0:
			return Result{RevisionID: newest.ID}, nil
		case newest.Hash == hash && newest.Format == catalog.Format:
			counts, err := countRevision(ctx, d, newest.ID)
			return Result{RevisionID: newest.ID, Counts: counts}, err
		}
		result, err := importAs(ctx, d, files, o, revision{
			Revision: Revision{ID: newest.ID + 1, Hash: hash, Source: o.Source, CreatedAt: clock.Cut(o.Now)},
		})
		if (db.IsDuplicate(err, "revision") || errors.Is(err, errPackedGone)) && attempt < attempts {
			continue // another import has just made this revision, or an old one was removed
		}
		return result, err
	}
}

// importAs reads the folder, packs its pictures, and stores both as revision r in one transaction.
func importAs(ctx context.Context, d *db.DB, files fs.FS, o Options, r revision) (Result, error) {
	folder, found := Read(files)
	if folder == nil {
		return Result{}, &Invalid{found}
	}
	if o.Check != nil {
		if err := o.Check(folder.Document); err != nil {
			return Result{}, err
		}
	}
	p, err := newPacker(ctx, d, files, o)
	if err != nil {
		return Result{}, err
	}
	media, warnings, err := folder.pictures.fillAddresses(ctx, p)
	if err != nil {
		return Result{}, err
	}
	if r.body, err = folder.packDocument(); err != nil {
		return Result{}, err
	}
	r.format, r.Brands = catalog.Format, brandsOf(folder.Document)
	err = d.InTx(ctx, func(tx *db.Tx) error {
		if err := lockRevisions(ctx, tx); err != nil {
			return err
		}
		if err := savePictures(ctx, tx, files, media); err != nil {
			return err
		}
		if err := savePacked(ctx, tx, p.made); err != nil {
			return err
		}
		if err := saveRevision(ctx, tx, r); err != nil {
			return err
		}
		return recordRevision(ctx, tx, r.ID-1, r.Revision)
	})
	return Result{RevisionID: r.ID, New: err == nil, Counts: Count(folder.Document), Warnings: slices.Concat(found, folder.Ended(o.Now), warnings)}, err
}

// packDocument returns the document as a revision stores it: JSON, compressed by gzip.
func (f *Folder) packDocument() ([]byte, error) {
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
