// Package races lets hundreds of buyers race for what there is only so much of: uses of
// promocodes, gifts, an interval, one customer's bonuses. They speak HTTP with real
// server processes, two over one PostgreSQL and one on SQLite, and after each round the
// books in the database have to balance to the last piece and kopeck.
//
//	scripts/with-postgres.sh go test ./races
//	SERVERY_ROUNDS=50 scripts/with-postgres.sh go test ./races -timeout 60m -v
//	SERVERY_FEED_RUNS=20 scripts/with-postgres.sh go test ./races -run OperatorFeed -timeout 60m -v
package races
