package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"servery/internal/db"
)

// The service runs as a user of its own, and could not open a database that belongs to root.
func TestRestoreAndMove_byRootLeaveADatabaseOfTheOwnerOfTheFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a folder of another user")
	}
	const serviceUser = 61184
	eachShell(t, func(t *testing.T, s shell, _ string) {
		if _, err := s.run(t, "import", writeMenu(t, 30)); err != nil {
			t.Fatal(err)
		}
		moved, restored := t.TempDir(), t.TempDir()
		for _, dir := range []string{moved, restored} {
			if err := os.Chown(dir, serviceUser, serviceUser); err != nil {
				t.Fatal(err)
			}
		}
		s.mustRun(t, `(?s).*: moved to .*`, "move", "-", moved)
		copied := filepath.Join(t.TempDir(), "copy.db")
		shell{"SERVERY_DATA=" + moved}.mustRun(t, `.* bytes, checked, a copy of .*`, "backup", copied)
		shell{"SERVERY_DATA=" + restored}.mustRun(t, `(?s).* bytes, checked, a copy of .*\nheld since .*`, "restore", copied)
		for _, dir := range []string{moved, restored} {
			info, err := os.Stat(filepath.Join(dir, db.File))
			if err != nil {
				t.Fatal(err)
			}
			if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != serviceUser || stat.Gid != serviceUser || info.Mode().Perm() != 0o600 {
				t.Errorf("%s is %+v of %+v", info.Name(), info.Mode(), stat)
			}
		}
	})
}
