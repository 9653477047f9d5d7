package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// ErrByHand says that the server's own tools copy the database, and this program does not.
var ErrByHand = errors.New("PostgreSQL is copied by its own tools")

// BackUp writes a copy of the database as it is now into a new file, checks it, and returns its size in
// bytes. Other processes may go on working. It returns an error when the file is there already, and
// [ErrByHand] on PostgreSQL.
func (d *DB) BackUp(ctx context.Context, path string) (size int64, err error) {
	if d.engine != SQLite {
		return 0, ErrByHand
	}
	if err := checkAbsent(path); err != nil {
		return 0, err
	}
	partial := path + ".partial"
	if err := errors.Join(removeIfThere(partial), makePrivate(partial)); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, removeIfThere(partial)) }()
	if _, err := d.write.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return 0, fmt.Errorf("copy the database: %w", err)
	}
	if err := checkFile(ctx, partial, path); err != nil {
		return 0, err
	}
	return publish(partial, path)
}

// Restore puts the copy of a database into the data folder, where there must be none, and returns its
// size in bytes. The copy is checked before. On PostgreSQL it returns [ErrByHand].
func Restore(ctx context.Context, cfg Config, path string) (size int64, err error) {
	if cfg.URL != "" {
		return 0, ErrByHand
	}
	target := filepath.Join(cfg.Dir, File)
	if err := checkAbsent(target); err != nil {
		return 0, err
	}
	partial := target + ".partial"
	defer func() { err = errors.Join(err, removeIfThere(partial)) }()
	// What is left of the log of an earlier database would be read into this one.
	if err := errors.Join(removeIfThere(target+"-wal"), removeIfThere(target+"-shm"), removeIfThere(partial)); err != nil {
		return 0, err
	}
	if err := copyFile(path, partial); err != nil {
		return 0, err
	}
	if err := checkFile(ctx, partial, path); err != nil {
		return 0, err
	}
	return publish(partial, target)
}

// checkFile returns an error, with the name by which people know the file, when the file at the path is not a whole database.
func checkFile(ctx context.Context, path, name string) (err error) {
	pool, err := sqlitePool(ctx, path, 1, "query_only(1)")
	if err != nil {
		return fmt.Errorf("%s is not a database: %w", name, err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("%s is not a database: %w", name, err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%s is damaged: %s", name, verdict)
	}
	return nil
}

// publish renames a file that was written whole, syncs file and folder to the disk, and returns the
// size.
func publish(partial, path string) (size int64, err error) {
	file, err := os.OpenFile(partial, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return 0, err
	}
	if err := os.Rename(partial, path); err != nil {
		return 0, err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return 0, err
	}
	return info.Size(), errors.Join(folder.Sync(), folder.Close())
}

// copyFile copies a file into a new one, which [createPrivate] creates.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	target, err := createPrivate(to)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, source.Close(), target.Close())
}

// checkAbsent returns an error when there is something with the name.
func checkAbsent(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return fmt.Errorf("%s is there already", path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// removeIfThere removes a file. A file that does not exist is no error.
func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Address returns the address of a PostgreSQL database for the server's own tools, without the
// password. It is empty when the URL cannot be read.
func (c Config) Address() string {
	p, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("host=%s port=%d dbname=%s user=%s", p.Host, p.Port, p.Database, p.User)
}
