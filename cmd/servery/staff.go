package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"servery/internal/access"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/staff"
)

// staffRequest has the arguments of `servery staff`.
type staffRequest struct {
	action, role, name, brand, shops string
}

// addFlags adds the flags of `servery staff add`.
func (r *staffRequest) addFlags(f *flag.FlagSet) {
	f.StringVar(&r.role, "role", "", "owner, manager, kitchen, courier or support")
	f.StringVar(&r.name, "name", "", "name of the person, for the log and the history of orders")
	f.StringVar(&r.brand, "brand", "", "alias of the brand that the person works for; all of them without it")
	f.StringVar(&r.shops, "shops", "", "ids of the shops that the person works for, with commas between; all of them without it")
}

// changeStaff runs the action of r: it makes, lists, invites, signs out or removes accounts of people, and prints
// the outcome. args has the login, none for a list.
func changeStaff(ctx context.Context, cfg config.Config, r staffRequest, args []string, out io.Writer) error {
	if (r.action == "list") != (len(args) == 0) || len(args) > 1 {
		return errors.New("staff takes: add [settings] LOGIN, list, invite LOGIN, sign-out LOGIN, or remove LOGIN")
	}
	return withDatabase(ctx, cfg, func(d *db.DB) error {
		service := staff.New(d, clock.System{})
		switch r.action {
		case "add":
			return addStaff(ctx, d, service, r, args[0], invitationPrinter{cfg.PublicURL, out})
		case "list":
			return listStaff(ctx, service, out)
		case "invite":
			invitation, err := service.Invite(ctx, args[0])
			if err != nil {
				return err
			}
			return invitationPrinter{cfg.PublicURL, out}.print(invitation)
		case "sign-out":
			sessions, shifts, err := service.SignOut(ctx, args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s: %d sessions and %d shifts at devices have ended\n", args[0], sessions, shifts)
			return err
		case "remove":
			if err := service.Remove(ctx, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(out, "%s is removed: no process lets them in from now on\n", args[0])
			return err
		}
		return fmt.Errorf("staff takes add, list, invite, sign-out or remove, not %q", r.action)
	})
}

// addStaff makes an account and prints its invitation. It returns an error when the content in use lacks the brand
// or a shop.
func addStaff(ctx context.Context, d *db.DB, service *staff.Service, r staffRequest, login string, to invitationPrinter) error {
	shops, err := access.ParseShops(r.shops)
	if err != nil {
		return err
	}
	scope := access.Scope{Site: r.brand, Shops: shops}
	if err := checkScope(ctx, d, scope); err != nil {
		return err
	}
	invitation, err := service.Add(ctx, staff.Account{Scope: scope, Login: login, Name: r.name, Role: access.Role(r.role)})
	if err != nil {
		return err
	}
	return to.print(invitation)
}

// invitationPrinter prints invitations, as links where the public address is known.
type invitationPrinter struct {
	publicURL string
	out       io.Writer
}

// print prints the link of an invitation, which is shown nowhere else. Without a public address it prints the secret
// and the path of the page that accepts it.
func (p invitationPrinter) print(invitation string) error {
	days := int(staff.InvitationLife.Hours() / 24)
	path := staff.InvitationPath + "#" + invitation
	if p.publicURL == "" {
		_, err := fmt.Fprintf(p.out, "%s\nthe invitation can be accepted once within %d days; it is stored nowhere and not shown again\n"+
			"it is accepted at %s below the address of a brand; with SERVERY_PUBLIC_URL the whole link stands here\n", invitation, days, path)
		return err
	}
	_, err := fmt.Fprintf(p.out, "%s\nthe invitation can be accepted once within %d days; the link is stored nowhere and not shown again\n",
		p.publicURL+path, days)
	return err
}

// listStaff prints all accounts as a table.
func listStaff(ctx context.Context, service *staff.Service, out io.Writer) error {
	list, err := service.List(ctx)
	if err != nil {
		return err
	}
	rows := &strings.Builder{}
	rows.WriteString("LOGIN\tNAME\tROLE\tBRAND\tSHOPS\tSTATE\n")
	for _, a := range list {
		state := "signs in"
		switch {
		case a.IsInvited:
			state = "invited"
		case !a.HasPassword:
			state = "invitation over"
		}
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s\t%s\t%s\n", a.Login, a.Name, a.Role, cmp.Or(a.Site, "all"), cmp.Or(access.JoinShops(a.Shops), "all"), state)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(table, rows.String()); err != nil {
		return err
	}
	return table.Flush()
}
