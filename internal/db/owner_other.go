//go:build !linux

package db

import "os"

// setFolderOwner does nothing, because services of other systems run as the user who makes their files.
func setFolderOwner(*os.File) error { return nil }
