package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"servery/internal/db/gen"
)

// File is the name of the SQLite database inside the data folder.
const File = "servery.db"

// One SQLite connection writes, and readers ones read beside it.
const (
	writers = 1
	readers = 4
)

// maxLog is how many bytes the write-ahead log keeps once it has been written into the file: beside a
// reader that lasts it grows for as long as that does.
const maxLog = "67108864"

// inMemory and inFiles say where the writer keeps what it sorts and what it needs to undo a statement or
// a savepoint. With files a member of a group commit writes each page that it changes twice.
const (
	inMemory = "MEMORY"
	inFiles  = "FILE"
)

// keepTemporary sets whether the writer of SQLite works [inMemory] or [inFiles].
func keepTemporary(ctx context.Context, d *DB, where string) error {
	if _, err := d.write.ExecContext(ctx, "PRAGMA temp_store = "+where); err != nil {
		return fmt.Errorf("set temp_store: %w", err)
	}
	return nil
}

// openSQLite opens the file in the data folder, one connection that writes and some that read.
func openSQLite(ctx context.Context, cfg Config) (*DB, error) {
	path := filepath.Join(cfg.Dir, File)
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	// The writer comes first: it turns on the write-ahead log. With secure_delete it overwrites
	// deleted rows in each page that it writes, so that a deleted person is gone from the file.
	write, err := sqlitePool(ctx, path, writers, "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(FAST)", "journal_size_limit("+maxLog+")", "temp_store("+inMemory+")")
	if err != nil {
		return nil, err
	}
	read, err := sqlitePool(ctx, path, readers, "query_only(1)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	return &DB{engine: SQLite, write: write, read: read, q: gen.New(patiently{read}), committer: &committer{pool: write}, cfg: cfg}, nil
}

// makePrivate creates the file, where there is none, as [createPrivate] does.
func makePrivate(path string) error {
	file, err := createPrivate(path)
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // a link may name a file that is not there
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	return nil
}

// createPrivate creates a file for one user alone, because it holds personal data: for the program's own
// user or, when that is root, for the owner of the folder. SQLite creates the files beside it with the
// same mode and owner. It returns [fs.ErrExist] when there is something with the name.
func createPrivate(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := setFolderOwner(file); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return file, nil
}

// sqlitePool opens a pool of connections to the file, each with the pragmas.
func sqlitePool(ctx context.Context, path string, size int, pragmas ...string) (*sql.DB, error) {
	options := url.Values{
		"_pragma":      append([]string{"busy_timeout(5000)", "foreign_keys(1)"}, pragmas...),
		"_txlock":      {"immediate"}, // a transaction waits for its turn at the start, not in the middle
		"_time_format": {"sqlite"},
		"_timezone":    {"UTC"}, // text in one zone sorts as the instants do
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}
	connector, err := sqlite.NewConnector(dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool := sql.OpenDB(statementCache{connector})
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), pool.Close())
	}
	return pool, nil
}

// sqliteName returns the whole path of the file: the folder may be relative to wherever
// the program was started.
func sqliteName(dir string) string {
	path := filepath.Join(dir, File)
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// sqliteExists reports whether the folder has a file of the database. The file may be empty.
func sqliteExists(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// sqliteViolation returns the refused constraint, and false when err is not SQLite's. For an error of
// SQLite that is no such refusal the kind is none.
func sqliteViolation(err error) (violation, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return violation{}, false
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return sqliteDuplicate(e.Error()), true
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return violation{kind: reference}, true
	case sqlite3.SQLITE_CONSTRAINT_CHECK:
		return violation{kind: check}, true
	case sqlite3.SQLITE_CONSTRAINT_NOTNULL:
		return violation{kind: missing}, true
	}
	return violation{}, true
}

// sqliteDuplicate reads the columns out of the text of a refusal:
// "constraint failed: UNIQUE constraint failed: line.cart_id, line.key (2067)".
func sqliteDuplicate(text string) violation {
	const before, after = "constraint failed: ", " ("
	v := violation{kind: duplicate}
	list := ""
	if i := strings.LastIndex(text, before); i >= 0 {
		list = text[i+len(before):]
	}
	if i := strings.LastIndex(list, after); i >= 0 {
		list = list[:i]
	}
	for _, name := range columnList(list) {
		table, column, _ := strings.Cut(name, ".")
		v.table = table
		v.columns = append(v.columns, column)
	}
	return v
}
