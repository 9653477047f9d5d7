package db

// Waiting is how many callers of InTx wait for their turn on SQLite.
func (d *DB) Waiting() int {
	d.committer.mu.Lock()
	defer d.committer.mu.Unlock()
	return len(d.committer.waiting)
}

// MostTurns is how many share a commit at most.
const MostTurns = maxMembers
