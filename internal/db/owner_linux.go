package db

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// setFolderOwner sets the owner of a new file to that of its folder when the program runs as root: the
// service, whose folder it is, must be able to open the file. It leaves the file as it is where root may
// not do so, as in a container.
func setFolderOwner(file *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	owner, ok := folder.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	err = file.Chown(int(owner.Uid), int(owner.Gid))
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) { // no right to, or an owner outside of the container
		return nil
	}
	return err
}
