// Package asset serves the files of the page. The program has those of its own release; the
// database also has those of the releases that run beside it or ran before it, so that a page
// opened with one release continues with another.
package asset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"servery/internal/cache"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// keptReleases and keptFor say which releases are kept: the newest ones, and all that ran
	// within that time.
	keptReleases = 3
	keptFor      = 14 * 24 * time.Hour
	// useEvery is how often a running process stores that its release is used.
	useEvery = 24 * time.Hour
	// foreignMemory bounds the files of other releases in memory, in bytes.
	foreignMemory = 16 << 20
)

// Assets are the files of the page. Make them with [New]. Reading is safe for concurrent use;
// Publish and Sweep must be called one after another.
type Assets struct {
	db      *db.DB
	clock   clock.Clock
	own     fs.FS
	names   []string
	release string
	used    time.Time // when this process last said that it runs the release
	foreign *cache.Cache[string, []byte]
	list    lister
}

// New returns the files of the page. own has the files of this release and no others. New reads
// only their names, and nothing from the database.
func New(d *db.DB, c clock.Clock, own fs.FS) (*Assets, error) {
	a := &Assets{db: d, clock: c, own: own}
	entries, err := fs.ReadDir(own, ".")
	if err != nil {
		return nil, fmt.Errorf("list the files of the page: %w", err)
	}
	hash := sha256.New()
	for _, entry := range entries {
		a.names = append(a.names, entry.Name())
		hash.Write([]byte(entry.Name() + "\n"))
	}
	a.release = hex.EncodeToString(hash.Sum(nil)[:16])
	a.foreign = cache.OfWeight[string](foreignMemory, func(body []byte) uint32 { return uint32(len(body)) })
	a.list.clock = c
	a.list.names = func(ctx context.Context) ([]string, error) { return listNames(ctx, d.Read()) }
	return a, nil
}

// allReleases is the name of the lock of releases, which all of them share.
const allReleases = ""

// Publish writes this release's files into the database, where the processes of other
// releases find them. It must be called before a document names them.
func (a *Assets) Publish(ctx context.Context) error {
	now := a.clock.Now()
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, db.LockedReleases, allReleases); err != nil {
			return err
		}
		return saveRelease(ctx, tx, a.release, now, a.names, a.own)
	})
	if err != nil {
		return fmt.Errorf("publish the files of the page: %w", err)
	}
	a.used = now
	return nil
}

// Sweep stores that this release still runs, and removes the files that only old releases have. It does
// nothing when this process has stored that within a day.
func (a *Assets) Sweep(ctx context.Context) error {
	now := a.clock.Now()
	if now.Sub(a.used) < useEvery {
		return nil
	}
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, db.LockedReleases, allReleases); err != nil {
			return err
		}
		if err := saveRelease(ctx, tx, a.release, now, a.names, a.own); err != nil {
			return err
		}
		return deleteOld(ctx, tx, now.Add(-keptFor))
	})
	if err != nil {
		return fmt.Errorf("remove old files of the page: %w", err)
	}
	a.used = now
	return nil
}

// Own returns a file of this release; nil when it has none of that name.
func (a *Assets) Own(name string) []byte {
	body, err := fs.ReadFile(a.own, name)
	if err != nil {
		return nil
	}
	return body
}

// Foreign returns the first of the names that is a file of another release in the database, and the
// body of that file. The body is shared and must not be changed. It returns common.not_found
// (NotFound) when the database has none of the files.
//
// Callers may send any name, so a file is read from the database only when its name is listed
// there.
func (a *Assets) Foreign(ctx context.Context, names ...string) (name string, body []byte, err error) {
	name = firstListed(names, a.list.latestNames())
	if name == "" {
		listed, err := a.list.readNames(ctx)
		if err != nil {
			return "", nil, err
		}
		if name = firstListed(names, listed); name == "" {
			return "", nil, fault.New(fault.NotFound, "common.not_found")
		}
	}
	// Others wait for the same file, so it is read even when this call is canceled.
	body, err = a.foreign.Load(context.WithoutCancel(ctx), name, func(ctx context.Context) ([]byte, error) { return a.loadFile(ctx, name) })
	return name, body, err
}

// firstListed returns the first of the names that are listed; empty when none is.
func firstListed(names []string, listed map[string]bool) string {
	for _, name := range names {
		if listed[name] {
			return name
		}
	}
	return ""
}

// loadFile reads a file of another release from the database. It returns common.not_found (NotFound)
// when it is not there.
func (a *Assets) loadFile(ctx context.Context, name string) ([]byte, error) {
	body, err := readBody(ctx, a.db.Read(), name)
	if errors.Is(err, db.ErrNotFound) { // it was removed since it was listed
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	return body, err
}

// IsName reports whether a text may be the name of a file of the page.
func IsName(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	return name != "" && len(name) <= 200 && strings.Trim(name, allowed) == "" && !strings.HasPrefix(name, ".")
}
