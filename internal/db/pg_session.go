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

// setting is a variable of PostgreSQL and its value on a connection.
type setting struct{ name, value string }

// sessionSettings are set on each connection, whatever the server's defaults are, unless the address
// of the database names them. They are set by a statement, because poolers refuse them among the
// parameters of a connection.
var sessionSettings = []setting{
	{"statement_timeout", "8s"},
	{"lock_timeout", "4s"},
	{"idle_in_transaction_session_timeout", "15s"},
	{"default_transaction_isolation", "read committed"},
	// A statement is planned once on a connection. Otherwise the planner plans some of them at each call, which
	// takes longer than to run them.
	{"plan_cache_mode", "force_generic_plan"},
}

// migrationSettings are for migrations, which may take long, but must not make customers wait for a
// table.
var migrationSettings = []setting{
	{"statement_timeout", "0"},
	{"lock_timeout", "3s"},
	{"idle_in_transaction_session_timeout", "0"},
	{"default_transaction_isolation", "read committed"},
}

// setSession returns a function that makes the settings on a connection, apart from those that the
// address of the database names itself.
func setSession(settings []setting, named map[string]string) func(ctx context.Context, conn *pgx.Conn) error {
	var text strings.Builder
	for _, s := range settings {
		if _, ok := named[s.name]; !ok {
			fmt.Fprintf(&text, "SET SESSION %s = '%s';", s.name, s.value)
		}
	}
	return func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, text.String()).ReadAll()
		if err != nil {
			return fmt.Errorf("set up the session: %w", err)
		}
		return nil
	}
}

// boundsStatements reports whether the settings end each statement in less than answerTimeout. It
// reports false when the address of the database names a bound for statements itself.
func boundsStatements(settings []setting, named map[string]string) bool {
	const name = "statement_timeout"
	if _, ok := named[name]; ok {
		return false
	}
	for _, s := range settings {
		if s.name == name {
			bound, err := time.ParseDuration(s.value)
			return err == nil && bound > 0 && bound < answerTimeout
		}
	}
	return false
}

// dialer opens connections that notice that the other machine is gone.
type dialer struct{ net net.Dialer }

// newDialer returns a dialer.
func newDialer() dialer {
	return dialer{net.Dialer{
		Timeout: connectTimeout,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: keepAliveEvery, Interval: keepAliveEvery, Count: 3,
		},
		Control: limitUnanswered,
	}}
}

// DialContext opens a connection. It fails once ctx has ended, not a moment earlier: its callers see by ctx that
// their own time is over.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return d.net.DialContext(undated{ctx}, network, address) //nolint:contextcheck // it only hides the deadline of ctx
}

// undated is a context whose end is not known beforehand.
type undated struct{ context.Context }

// Deadline reports that there is none.
func (undated) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
