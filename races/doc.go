// Package races lets hundreds of buyers race for limited stock: uses of promocodes, gifts, an
// interval, one customer's bonuses. They call real server processes over HTTP, two over one
// PostgreSQL and one on SQLite. After each round the books in the database must balance. Other
// tests place orders while the server is killed or the database fails.
//
//	scripts/with-postgres.sh go test ./races
//	SERVERY_ROUNDS=50 scripts/with-postgres.sh go test ./races -timeout 60m -v
//	SERVERY_FEED_RUNS=20 scripts/with-postgres.sh go test ./races -run OperatorFeed -timeout 60m -v
//	SERVERY_PAIR_ORDERS=2000 go test ./races -run TestPair_ -timeout 60m -v
//	SERVERY_MOVE_ORDERS=10000 scripts/with-postgres.sh go test ./races -run TestMove_ -timeout 60m -v
//	SERVERY_FRIDAY=60 SERVERY_RELEASES=$PWD/bin/servery,$PWD/bin/servery-b go test ./races -run TestFriday_ -timeout 180m -v
//	SERVERY_HISTORIES=500 scripts/with-postgres.sh go test ./races -run TestHistories -timeout 60m -v
//	SERVERY_FAULT_ROUNDS=5 go test ./races -run TestFaults_ -timeout 60m -v
package races
