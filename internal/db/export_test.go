package db

// Waiting is how many callers of InTx wait for their turn on SQLite.
func (d *DB) Waiting() int {
	d.committer.mu.Lock()
	defer d.committer.mu.Unlock()
	return len(d.committer.waiting)
}

// MaxMembers is how many callers share a commit at most.
const MaxMembers = maxMembers

// IsBrokenReference reports whether err is the refusal of a row that points to
// nothing, or of removing a row that others point to.
func IsBrokenReference(err error) bool { return violationOf(err).kind == reference }
