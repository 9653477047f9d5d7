package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"servery/internal/db"
	"servery/internal/queue"
)

// engine is a kind of database to measure on.
type engine struct {
	name string
	// server is the address of a PostgreSQL server where a database may be made; empty for SQLite.
	server string
}

// engines returns SQLite, and PostgreSQL when DATABASE_URL names a server.
func engines() []engine {
	available := []engine{{name: "SQLite"}}
	if server := os.Getenv("DATABASE_URL"); server != "" {
		available = append(available, engine{"PostgreSQL", server})
	}
	return available
}

// environment is where one run happens: a folder and a database of its own.
type environment struct {
	binary, dir, data, content string
	commandPrefix              []string     // the command that starts the program
	url                        string       // of the database; empty for SQLite
	bareDB                     *db.DB       // the database for bare transactions, with the program's own settings
	limits                     string       // SERVERY_LIMITS: the limits on guests
	drop                       func() error // removes the database of PostgreSQL
}

// newEnvironment makes a folder with a copy of the content, and the databases for one run: an empty one for
// the program, and a migrated one for bare transactions. On PostgreSQL both are the same database.
func newEnvironment(ctx context.Context, o options, e engine) (*environment, error) {
	g, err := newEmptyEnvironment(ctx, o, e)
	if err != nil {
		return nil, err
	}
	if err := g.openBare(ctx); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// openBare makes the database for bare transactions.
func (g *environment) openBare(ctx context.Context) (err error) {
	if err = os.Mkdir(g.bareFolder(), 0o750); err != nil {
		return err
	}
	if g.bareDB, err = db.Open(ctx, db.Config{URL: g.url, Dir: g.bareFolder()}); err != nil {
		return err
	}
	_, err = db.Migrate(ctx, g.bareDB, queue.Migrate)
	return err
}

// bareFolder is the folder of the database for bare transactions on SQLite.
func (g *environment) bareFolder() string { return filepath.Join(g.dir, "bare") }

// newEmptyEnvironment makes a folder with a copy of the content and an empty database for the program alone, which may be
// of another release.
func newEmptyEnvironment(ctx context.Context, o options, e engine) (_ *environment, err error) {
	g := &environment{limits: "off", drop: func() error { return nil }}
	if g.dir, err = os.MkdirTemp("", "servery-load-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.close())
		}
	}()
	g.commandPrefix = o.commandPrefix
	if g.binary, err = filepath.Abs(o.binary); err != nil {
		return nil, err
	}
	g.data, g.content = filepath.Join(g.dir, "data"), filepath.Join(g.dir, "content")
	if err = copyContent(o.content, g.content); err != nil {
		return nil, err
	}
	if e.server != "" {
		if err = g.makeDatabase(ctx, e.server); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// close removes the folder and the databases.
func (g *environment) close() error {
	var err error
	if g.bareDB != nil {
		err = g.bareDB.Close()
	}
	return errors.Join(err, g.drop(), os.RemoveAll(g.dir))
}

// makeDatabase creates an empty database on the PostgreSQL server with the address server. It sets url to its
// address, and drop to a function that removes it.
func (g *environment) makeDatabase(ctx context.Context, server string) error {
	u, err := url.Parse(server)
	if err != nil {
		return err
	}
	admin, err := db.Open(ctx, db.Config{URL: server, Connections: 1})
	if err != nil {
		return err
	}
	name := "servery_load_" + strings.ToLower(rand.Text()[:8])
	if _, err := admin.Writer().ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return errors.Join(err, admin.Close())
	}
	g.drop = func() error {
		_, err := admin.Writer().ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
		return errors.Join(err, admin.Close())
	}
	u.Path = "/" + name
	g.url = u.String()
	return nil
}

var (
	ceiling       = regexp.MustCompile(`(ceiling: \{[^}]*\})`)
	ceilingNumber = regexp.MustCompile(`(delivery|takeaway): \d+`)
	groupCeilings = regexp.MustCompile(`(?m)^ *ceiling_groups: .*\n`)
)

// copyContent copies a content folder. In the copy it raises the ceilings of the kitchens and removes those of
// product groups, because a few seconds of load order more than a kitchen cooks in a week. Intervals are
// still counted.
func copyContent(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy content: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(to, "*", "shops.yaml"))
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text = groupCeilings.ReplaceAll(text, nil)
		text = ceiling.ReplaceAllFunc(text, func(part []byte) []byte {
			return ceilingNumber.ReplaceAll(part, []byte("$1: 100000"))
		})
		if err := os.WriteFile(name, text, 0o600); err != nil { //nolint:gosec // a file of the copy
			return err
		}
	}
	return nil
}
