package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"servery/internal/access"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/site"
)

// usualTokenDays is how many days a token is valid without the flag -days.
const usualTokenDays = 365

// tokenRequest has the arguments of `servery token`.
type tokenRequest struct {
	action, rights, brand, shops string
	days                         int
}

// addFlags adds the flags of `servery token add`.
func (r *tokenRequest) addFlags(f *flag.FlagSet) {
	f.StringVar(&r.rights, "rights", "", "rights of a token, with commas between; usual for all but customers.sign_in")
	f.StringVar(&r.brand, "brand", "", "alias of the brand that a token is for; all of them without it")
	f.StringVar(&r.shops, "shops", "", "ids of the brand's shops that a token is for, with commas between; all of them without it")
	f.IntVar(&r.days, "days", usualTokenDays, "how long a token is valid")
}

// changeTokens runs the action of r: it makes, lists or revokes tokens of systems, and prints the outcome. args has
// the name of the token, none for a list.
func changeTokens(ctx context.Context, cfg config.Config, r tokenRequest, args []string, out io.Writer) error {
	if (r.action == "list") != (len(args) == 0) || len(args) > 1 {
		return errors.New("token takes: add [settings] NAME, list, or revoke NAME")
	}
	return withDatabase(ctx, cfg, func(d *db.DB) error {
		tokens := access.NewTokens(d, clock.System{})
		switch r.action {
		case "add":
			return addToken(ctx, d, tokens, r, args[0], out)
		case "list":
			return listTokens(ctx, tokens, out)
		case "revoke":
			if err := tokens.Revoke(ctx, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "%s is revoked: no process accepts it from now on\n", args[0])
			return err
		}
		return fmt.Errorf("token takes add, list or revoke, not %q", r.action)
	})
}

// addToken makes a token and prints its secret, which is shown nowhere else. It returns an error when the content
// in use lacks the brand or a shop.
func addToken(ctx context.Context, d *db.DB, tokens *access.Tokens, r tokenRequest, name string, out io.Writer) error {
	t, err := r.token(name, clock.System{}.Now())
	if err != nil {
		return err
	}
	if err := checkScope(ctx, d, t.Scope); err != nil {
		return err
	}
	secret, err := tokens.Add(ctx, t)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n%s is valid until %s; its secret is stored nowhere and not shown again\n", secret, name, t.ExpiresAt.Format(time.DateOnly))
	return err
}

// token returns the requested token, valid from now; an error for rights or shops that cannot be read.
func (r tokenRequest) token(name string, now time.Time) (access.Token, error) {
	rights, errRights := access.ParseRights(r.rights)
	shops, errShops := access.ParseShops(r.shops)
	return access.Token{
		Name: name, Scope: access.Scope{Site: r.brand, Shops: shops}, Rights: rights,
		ExpiresAt: now.UTC().AddDate(0, 0, r.days).Truncate(time.Second),
	}, errors.Join(errRights, errShops)
}

// checkScope returns an error when the content in use lacks the brand of the scope or one of its shops. A scope of
// all brands is not checked.
func checkScope(ctx context.Context, d *db.DB, scope access.Scope) error {
	if scope.Site == "" {
		return nil
	}
	content, err := catalog.Open(ctx, d, clock.System{}, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	if _, err := content.Current().FindBrand(scope.Site, 0); err != nil { // 0: the brand itself
		return fmt.Errorf("there is no brand %q in use; the brands are: %s", scope.Site, joinAliases(content.Current().Sites.All()))
	}
	for _, shop := range scope.Shops {
		if _, err := content.Current().FindBrand(scope.Site, shop); err != nil {
			return fmt.Errorf("the brand %s has no shop %d", scope.Site, shop)
		}
	}
	return nil
}

// joinAliases returns the aliases of the brands with commas between.
func joinAliases(brands []*site.Site) string {
	aliases := make([]string, len(brands))
	for i, b := range brands {
		aliases[i] = b.Alias
	}
	return strings.Join(aliases, ", ")
}

// listTokens prints all tokens, the newest first.
func listTokens(ctx context.Context, tokens *access.Tokens, out io.Writer) error {
	list, err := tokens.List(ctx)
	if err != nil {
		return err
	}
	rows := &strings.Builder{}
	rows.WriteString("NAME\tBRAND\tSHOPS\tUNTIL\tUSED\tSTATE\tRIGHTS\n")
	for _, t := range list {
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", t.Name, cmp.Or(t.Site, "all"), cmp.Or(access.JoinShops(t.Shops), "all"),
			t.ExpiresAt.Format(time.DateOnly), usedDay(t), stateOf(t, clock.System{}.Now()), access.JoinRights(t.Rights))
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(table, rows.String()); err != nil {
		return err
	}
	return table.Flush()
}

// usedDay returns the day on which a token was used last, or "never".
func usedDay(t access.Token) string {
	if t.UsedAt.IsZero() {
		return "never"
	}
	return t.UsedAt.Format(time.DateOnly)
}

// stateOf returns the state of a token: "valid", "revoked", or "over" when it has expired.
func stateOf(t access.Token, now time.Time) string {
	switch {
	case t.IsValid(now):
		return "valid"
	case !t.RevokedAt.IsZero():
		return "revoked"
	default:
		return "over"
	}
}
