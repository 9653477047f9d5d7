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
	// server is a PostgreSQL where a database may be made; empty for SQLite.
	server string
}

// engines returns the engines to measure on.
func engines() []engine {
	all := []engine{{name: "SQLite"}}
	if server := os.Getenv("DATABASE_URL"); server != "" {
		all = append(all, engine{"PostgreSQL", server})
	}
	return all
}

// environment is where one run happens: a folder and a database of its own.
type environment struct {
	binary, dir, data, content string
	commandPrefix              []string // the command that starts the program
	url                        string   // of the database; empty for SQLite
	bareDB                     *db.DB   // the database for bare transactions, with the program's own settings
	limits                     string   // on guests
	drop                       func() error
}

// newEnvironment makes a folder and databases for one run.
func newEnvironment(ctx context.Context, o options, e engine) (_ *environment, err error) {
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
	bare := filepath.Join(g.dir, "bare")
	if err = os.Mkdir(bare, 0o750); err != nil {
		return nil, err
	}
	if g.bareDB, err = db.Open(ctx, db.Config{URL: g.url, Dir: bare}); err != nil {
		return nil, err
	}
	_, err = db.Migrate(ctx, g.bareDB, queue.Migrate)
	return g, err
}

// close removes folder and databases.
func (g *environment) close() error {
	var err error
	if g.bareDB != nil {
		err = g.bareDB.Close()
	}
	return errors.Join(err, g.drop(), os.RemoveAll(g.dir))
}

// makeDatabase creates an empty database on the PostgreSQL server that the address names.
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

// copyContent copies a content folder and raises the ceilings of its kitchens, since a few
// seconds of load order more than a kitchen can cook in a week. The intervals are counted as
// usual.
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
