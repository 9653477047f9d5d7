package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// serviceUser and serviceGroup own the data folder of the tests: no user of the machine.
const (
	serviceUser  = 61184
	serviceGroup = 61185
)

// newServiceFolder returns a folder that belongs to another user, as that of a service does. It skips the
// test when it is not run by root.
func newServiceFolder(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a folder of another user")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, serviceUser, serviceGroup); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ownerOf returns the user and the group of a file.
func ownerOf(t *testing.T, path string) (uid, gid uint32) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s has no owner", path)
	}
	return stat.Uid, stat.Gid
}

// checkOwners checks that the folder has the files, and that all its files belong to the service alone.
func checkOwners(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if uid, gid := ownerOf(t, path); uid != serviceUser || gid != serviceGroup {
			t.Errorf("%s belongs to %d:%d", e.Name(), uid, gid)
		}
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %+v, %v", e.Name(), info, err)
		}
	}
}

func TestRestore_byRootLeavesFilesOfTheOwnerOfTheFolder(t *testing.T) {
	t.Parallel()
	to := db.Config{Dir: newServiceFolder(t)}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, err := dbtest.Open(t, db.SQLite).BackUp(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Restore(t.Context(), to, copied); err != nil {
		t.Fatal(err)
	}
	checkOwners(t, to.Dir, db.File)
	d, err := db.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Hold(t.Context(), startedAt, "a rehearsal") // as servery restore does
	checkOwners(t, to.Dir, db.File, db.File+"-wal", db.File+"-shm")
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	checkOwners(t, to.Dir, db.File)
}

func TestOpen_byRootLeavesFilesOfTheOwnerOfTheFolder(t *testing.T) {
	t.Parallel()
	cfg := db.Config{Dir: newServiceFolder(t)}
	d, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if held := occupy(t, d); held.IsHeld() {
		t.Errorf("held: %s", held.Because)
	}
	checkOwners(t, cfg.Dir, db.File, db.File+"-wal", db.File+"-shm", db.PlaceFile)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_byRootLeavesADatabaseToItsOwner(t *testing.T) {
	t.Parallel()
	cfg := db.Config{Dir: newServiceFolder(t)}
	path := filepath.Join(cfg.Dir, db.File)
	const other = 61186
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chown(path, other, other)); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if uid, gid := ownerOf(t, path); uid != other || gid != other {
		t.Errorf("it belongs to %d:%d now", uid, gid)
	}
}
