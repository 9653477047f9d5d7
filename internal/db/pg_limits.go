package db

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// How long PostgreSQL may take. A server that does not answer, or whose machine is gone, must
// not hold a call for ever.
const (
	connectTimeout = 5 * time.Second
	// connectionLife bounds how long connections stay at a server that another one has replaced.
	connectionLife = 30 * time.Minute
	keepAliveEvery = 5 * time.Second
	// userTimeout is how long data that was sent may stay without an answer of the machine.
	userTimeout = 8 * time.Second
)

// sessionLimits are set on each connection, whatever the server's defaults are, unless the address
// of the database names them. They are set by a statement, because poolers refuse them among the
// parameters of a connection.
var sessionLimits = []struct{ name, value string }{
	{"statement_timeout", "8s"},
	{"lock_timeout", "4s"},
	{"idle_in_transaction_session_timeout", "15s"},
	{"default_transaction_isolation", "read committed"},
}

// migrationLimits are for migrations, which may take long, but must not make customers wait for a
// table.
var migrationLimits = []struct{ name, value string }{
	{"statement_timeout", "0"},
	{"lock_timeout", "3s"},
	{"idle_in_transaction_session_timeout", "0"},
	{"default_transaction_isolation", "read committed"},
}

// limitSession returns a function that sets the limits on a connection, apart from those that the
// address of the database names itself.
func limitSession(limits []struct{ name, value string }, named map[string]string) func(ctx context.Context, conn *pgx.Conn) error {
	var text strings.Builder
	for _, limit := range limits {
		if _, ok := named[limit.name]; !ok {
			fmt.Fprintf(&text, "SET SESSION %s = '%s';", limit.name, limit.value)
		}
	}
	return func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, text.String()).ReadAll()
		if err != nil {
			return fmt.Errorf("limit the session: %w", err)
		}
		return nil
	}
}

// boundsStatements reports whether the limits end each statement in less than answerTimeout. It
// reports false when the address of the database names a bound for statements itself.
func boundsStatements(limits []struct{ name, value string }, named map[string]string) bool {
	const name = "statement_timeout"
	if _, ok := named[name]; ok {
		return false
	}
	for _, limit := range limits {
		if limit.name == name {
			bound, err := time.ParseDuration(limit.value)
			return err == nil && bound > 0 && bound < answerTimeout
		}
	}
	return false
}

// newDialer returns a dialer whose connections notice that the other machine is gone.
func newDialer() *net.Dialer {
	return &net.Dialer{
		Timeout: connectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: keepAliveEvery, Interval: keepAliveEvery, Count: 3,
		},
		Control: limitUnanswered,
	}
}
