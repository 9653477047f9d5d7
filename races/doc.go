// Package races lets hundreds of buyers race for limited stock: uses of
// promocodes, gifts, an interval, one customer's bonuses. They speak HTTP with real
// server processes, two over one PostgreSQL and one on SQLite, and after each round the
// books in the database have to balance to the last piece and kopeck. Others order while the
// server is killed, or the database breaks in every way that can be made here.
//
//	scripts/with-postgres.sh go test ./races
//	SERVERY_ROUNDS=50 scripts/with-postgres.sh go test ./races -timeout 60m -v
//	SERVERY_FEED_RUNS=20 scripts/with-postgres.sh go test ./races -run OperatorFeed -timeout 60m -v
//	SERVERY_PAIR_ORDERS=2000 go test ./races -run TestPair_ -timeout 60m -v
//	SERVERY_HISTORIES=500 scripts/with-postgres.sh go test ./races -run TestHistories -timeout 60m -v
//	SERVERY_FAULT_ROUNDS=5 go test ./races -run TestFaults_ -timeout 60m -v
package races
