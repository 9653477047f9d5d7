package db

// Waiting is how many callers of InTx wait for their turn on SQLite.
func (d *DB) Waiting() int {
	d.turns.mu.Lock()
	defer d.turns.mu.Unlock()
	return len(d.turns.waiting)
}

// MostTurns is how many share a commit at most.
const MostTurns = mostTurns
