package citymap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"servery/internal/clock"
	"servery/internal/site"
)

// Path and Ending surround the hash of a map in its address.
const (
	Path   = "/maps/"
	Ending = ".pmtiles"
)

// retryAfter is when a file that was not there, or had other bytes, is looked for again.
const retryAfter = time.Minute

// Files are the maps in a folder. Make it with [NewFiles]. It is safe for concurrent use.
type Files struct {
	dir   string
	log   *slog.Logger
	clock clock.Clock

	mu     sync.Mutex // held while a file is examined, so that each is read once
	byHash map[string]*state
}

// state is what is known of a file that content names.
type state struct {
	file       site.MapFile
	examinedAt time.Time
	// modified is when the file was last modified, if its bytes then were those that content names; else nil.
	modified *time.Time
	isLogged bool
}

// NewFiles returns the maps in the folder; with an empty name there are none.
func NewFiles(dir string, c clock.Clock, log *slog.Logger) *Files {
	return &Files{dir: dir, clock: c, log: log, byHash: map[string]*state{}}
}

// Has reports whether the folder has the bytes of a file that content names. The first call for a file reads
// it whole. When it is right, later calls do not look again, until [Files.Open] finds it changed; when it is
// missing or has other bytes, it is looked for again after a minute. Such a file is logged once.
func (f *Files) Has(ctx context.Context, file site.MapFile) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now()
	known := f.byHash[file.SHA256]
	switch {
	case known == nil || known.file != file:
		known = &state{file: file}
		f.byHash[file.SHA256] = known
	case known.modified != nil || now.Sub(known.examinedAt) < retryAfter:
		return known.modified != nil
	}
	known.examinedAt = now
	modified, err := f.examine(file)
	if err == nil {
		known.modified = &modified
		return true
	}
	if !known.isLogged {
		known.isLogged = true
		f.log.WarnContext(ctx, "the map of a city is not used: it is drawn without", "file", file.Name, "folder", f.dir, "error", err)
	}
	return false
}

// Open opens the file with the hash, which content must have named to [Files.Has] before. It reports false for
// any other hash, and when the file was changed since. The caller must close the file.
func (f *Files) Open(hash string) (*os.File, bool) {
	f.mu.Lock()
	var known state
	if found := f.byHash[hash]; found != nil {
		known = *found
	}
	f.mu.Unlock()
	if known.modified == nil {
		return nil, false
	}
	opened, info, err := f.open(known.file.Name)
	if err != nil {
		return nil, false
	}
	if info.Size() != known.file.Size || !info.ModTime().Equal(*known.modified) {
		f.forget(hash)
		_ = opened.Close() // it was only read
		return nil, false
	}
	return opened, true
}

// forget makes the next [Files.Has] read the file with the hash again.
func (f *Files) forget(hash string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byHash, hash)
}

// open opens a file of the folder, whose name must have no folder in it.
func (f *Files) open(name string) (*os.File, os.FileInfo, error) {
	if f.dir == "" {
		return nil, nil, errors.New("SERVERY_MAPS names no folder")
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }() // nothing was written
	opened, err := root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, opened.Close())
	}
	return opened, info, nil
}

// examine returns the time of the file when it is a map with the size and the hash that content names.
func (f *Files) examine(file site.MapFile) (time.Time, error) {
	opened, info, err := f.open(file.Name)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = opened.Close() }() // it was only read
	if info.Size() != file.Size {
		return time.Time{}, fmt.Errorf("it has %d bytes, content says %d", info.Size(), file.Size)
	}
	described, err := Describe(opened)
	if err != nil {
		return time.Time{}, err
	}
	if described.SHA256 != file.SHA256 {
		return time.Time{}, errors.New("its bytes are not those that content names: the hash differs")
	}
	return info.ModTime(), nil
}

// Description is what content says of a file, and its header.
type Description struct {
	Header Header
	Size   int64
	SHA256 string
}

// Describe reads a whole file and returns its description. It returns an error when the file is no map that
// the page can draw.
func Describe(from io.Reader) (Description, error) {
	sum := sha256.New()
	start := make([]byte, headerSize)
	read, err := io.ReadFull(from, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Description{}, fmt.Errorf("read the map: %w", err)
	}
	_, _ = sum.Write(start[:read]) // a hash never fails
	rest, err := io.Copy(sum, from)
	if err != nil {
		return Description{}, fmt.Errorf("read the map: %w", err)
	}
	d := Description{Size: int64(read) + rest, SHA256: hex.EncodeToString(sum.Sum(nil))}
	d.Header, err = ReadHeader(start[:read], d.Size)
	return d, err
}
