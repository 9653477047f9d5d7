// Command servery serves the storefronts of one or many food brands.
//
//	servery serve | new-brand DIR | import DIR | addresses FILE DIR CITY | maps FILE… | revisions | rollback N | check DIR | schema DIR | token | staff | migrate | ready | doctor | try KIND | backup FILE | restore [FILE] | move FROM TO | config | version | licences
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // city times must be right on machines without zone files

	"github.com/KimMachineGun/automemlimit/memlimit"
	_ "golang.org/x/crypto/x509roots/fallback" // banks must be trusted on machines without certificates

	"servery/internal/access"
	"servery/internal/app"
	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/content"
	"servery/internal/licences"
	"servery/internal/provider"
)

const usage = `usage: servery <command> [settings]

  serve        serve the storefronts
  new-brand DIR
               write a small content folder with comments, to start a brand from
  import DIR   check a content folder and bring it in as a new revision; with -create
               before DIR also into a database that is not there yet
  addresses FILE DIR CITY
               read the streets and houses of a city of a content folder, by its alias, from
               an extract of OpenStreetMap (.osm.pbf), and write them into the folder
  maps FILE [TARGET]
               print what content says of the map of a city (.pmtiles); with TARGET first
               write the tiles of FILE (.mbtiles) into it
  revisions    list the revisions of the content that are kept
  rollback N   make the content of revision N the newest revision
  check DIR    check a content folder, and the file of providers against it, and print
               every fault with its file and line; with -missing also the texts that
               are not translated
  schema DIR   write the JSON schemas of content files, for editors
  token add NAME | list | revoke NAME
               make, list and end tokens of systems that make the operator's calls; add takes
               before NAME -rights, -brand, -shops and -days
  staff add LOGIN | list | invite LOGIN | sign-out LOGIN | remove LOGIN
               make and list accounts of people, invite them again, end their sessions and
               accounts; add takes before LOGIN -role, -name, -brand and -shops
  migrate      make or update the tables
  ready        ask the process of these settings whether it can serve pages; with -write
               whether orders can be placed; with -wait 30s again and again, until it can
  doctor       examine database, content, providers, clock, disk, addresses; each line says
               ok, or what to set right
  try sms PHONE | call PHONE | payment | captcha | feedback | changes | geocoder
               make one real call to the providers of a brand (-site), a code to your own
               phone, a test message to your mailbox or webhook, and print what they answer
  backup FILE  write a copy of the database into a new file, while it is in use
  restore [FILE]
               put a copy into an empty data folder; print whether the database is held
               because it was restored from a copy, and what it would send; with -hold it
               is, with -go it is not from the next start
  move FROM TO copy the whole database from one data folder or postgres://… into another,
               which is empty; - is the database of the settings
  config       print the settings in use, secrets hidden, and check the file of providers
  version      print the version
  licences     print the licences of all that the program is made with

settings, as flags or in the environment; a secret may also stand in a file, whose name is
in DATABASE_URL_FILE, SERVERY_SECRET_FILE, SERVERY_OPERATOR_TOKEN_FILE or
SERVERY_ERROR_REPORTS_FILE:
`

// exitConfig is the exit code for faults of settings, EX_CONFIG of sysexits.h: starting again does not help.
const exitConfig = 78

// errSettings marks faults of settings and of the file of providers.
var errSettings = errors.New("the settings are not valid")

// exitCodeOf returns the exit code for the error of a command: exitConfig for faults of settings and of the file of
// providers, 1 for all others.
func exitCodeOf(err error) int {
	if errors.Is(err, errSettings) {
		return exitConfig
	}
	return 1
}

// main runs the command that the arguments name, until it ends or a signal comes. When the command failed, it exits
// with the code of its error.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := runCommand(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, errPrinted) {
			fmt.Fprintln(os.Stderr, "servery:", err)
		}
		stop()
		os.Exit(exitCodeOf(err))
	}
}

// errPrinted is returned after the fault was printed; main prints nothing more for it.
var errPrinted = errors.New("the fault was printed already")

// runCommand runs the command that the arguments name. environ has the settings of the
// environment; results go to out, faults and logs to errs.
func runCommand(ctx context.Context, args, environ []string, out, errs io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		return printUsage(out)
	}
	command := args[0]
	var create, missing bool
	var asked readyRequest
	var brand string
	requested := restoreRequest{because: "servery restore -hold"}
	var token tokenRequest
	var staffer staffRequest
	var ownFlags []func(*flag.FlagSet)
	switch command {
	case "import":
		ownFlags = append(ownFlags, func(f *flag.FlagSet) { f.BoolVar(&create, "create", false, "make the database") })
	case "check":
		ownFlags = append(ownFlags, func(f *flag.FlagSet) { f.BoolVar(&missing, "missing", false, "list what is not translated") })
	case "ready":
		ownFlags = append(ownFlags, func(f *flag.FlagSet) {
			f.BoolVar(&asked.write, "write", false, "ask whether orders can be placed")
			f.DurationVar(&asked.wait, "wait", 0, "for how long to ask again until it is ready, such as 30s")
		})
	case "try":
		ownFlags = append(ownFlags, func(f *flag.FlagSet) { f.StringVar(&brand, "site", "", "the brand whose providers are tried") })
	case "token":
		if len(args) > 1 {
			token.action, args = args[1], args[1:]
		}
		ownFlags = append(ownFlags, token.addFlags)
	case "staff":
		if len(args) > 1 {
			staffer.action, args = args[1], args[1:]
		}
		ownFlags = append(ownFlags, staffer.addFlags)
	case "restore":
		ownFlags = append(ownFlags, func(f *flag.FlagSet) {
			f.BoolVar(&requested.hold, "hold", false, "run no jobs and send nothing from the next start on")
			f.BoolVar(&requested.release, "go", false, "run jobs and send from the next start on")
		})
	}
	cfg, rest, err := config.Load(args[1:], environ, ownFlags...)
	if errors.Is(err, flag.ErrHelp) {
		return printUsage(out)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errSettings, err)
	}
	if takesArgument := slices.Contains([]string{"import", "check", "rollback", "new-brand", "schema", "addresses", "maps", "backup", "restore", "move", "try", "token", "staff"}, command); len(rest) > 0 && !takesArgument {
		return fmt.Errorf("%s takes no argument like %q", command, rest[0])
	}
	ctx = audit.With(ctx, audit.Origin{Kind: audit.Command, Name: userOf(environ), Call: strings.TrimSpace("servery " + command + " " + token.action + staffer.action)})
	switch command {
	case "serve":
		return serve(ctx, cfg, out, errs)
	case "import":
		return importFolder(ctx, cfg, rest, create, out, errs)
	case "revisions":
		return listRevisions(ctx, cfg, out)
	case "rollback":
		return rollBack(ctx, cfg, rest, out, errs)
	case "check":
		return checkFolder(cfg, rest, missing, out)
	case "new-brand":
		return writeStarter(rest, out)
	case "addresses":
		return writeAddresses(ctx, rest, out)
	case "maps":
		return describeMap(ctx, rest, out)
	case "schema":
		return writeSchemas(rest, out)
	case "token":
		return changeTokens(ctx, cfg, token, rest, out)
	case "staff":
		return changeStaff(ctx, cfg, staffer, rest, out)
	case "migrate":
		return migrate(ctx, cfg, out)
	case "ready":
		return awaitReady(ctx, cfg, asked, out)
	case "doctor":
		return examineInstallation(ctx, cfg, out)
	case "try":
		return tryProviders(ctx, cfg, brand, rest, out, errs)
	case "backup":
		return backUp(ctx, cfg, rest, out)
	case "move":
		return moveDatabase(ctx, cfg, rest, out)
	case "restore":
		if len(rest) == 1 {
			return restoreFile(ctx, cfg, rest[0], out)
		}
		return restore(ctx, cfg, requested, out)
	case "config":
		if _, err := io.WriteString(out, cfg.Redacted()); err != nil {
			return err
		}
		return printFaultsOf(checkProviders(cfg), errs)
	case "version":
		_, err := fmt.Fprintln(out, config.Version)
		return err
	case "licences":
		_, err := io.WriteString(out, licences.Text())
		return err
	}
	return fmt.Errorf("there is no command %q; servery help lists them", command)
}

// userOf returns the name of the user who runs the command; under sudo, of the user who called sudo.
func userOf(environ []string) string {
	for _, name := range []string{"SUDO_USER=", "USER=", "LOGNAME="} {
		for _, setting := range environ {
			if user, found := strings.CutPrefix(setting, name); found && user != "" {
				return user
			}
		}
	}
	return "unknown"
}

// printUsage prints the commands and all settings.
func printUsage(out io.Writer) error {
	if _, err := io.WriteString(out, usage); err != nil {
		return err
	}
	return config.Usage(out)
}

// serve runs the program until ctx ends or a part of it fails.
func serve(ctx context.Context, cfg config.Config, out, errs io.Writer) error {
	log := cfg.NewLogger(errs)
	slog.SetDefault(log) // for areas that have no logger of their own
	limitMemory(ctx, log)
	for _, u := range cfg.Unknown {
		log.WarnContext(ctx, "unknown variable in the environment: "+u.String())
	}
	a, err := app.Start(ctx, cfg, log, clock.System{})
	if err != nil {
		return printFaultsOf(err, errs)
	}
	if err := showAddresses(ctx, a, cfg, log, out); err != nil {
		return errors.Join(err, a.Close(ctx))
	}
	select {
	case <-ctx.Done():
		log.InfoContext(ctx, "stopping")
	case err = <-a.Failed():
	}
	return errors.Join(err, a.Close(ctx))
}

// limitMemory sets the memory limit of the Go runtime to nine tenths of the container's limit, so that garbage is
// collected in time. It sets nothing when GOMEMLIMIT is set, or outside of a container.
func limitMemory(ctx context.Context, log *slog.Logger) {
	if _, err := memlimit.Set(); err != nil {
		log.DebugContext(ctx, "memory is not limited", "error", err)
	}
}

// showAddresses prints the alias and the address of each host of each brand, for a person at a terminal. Where the log
// is JSON, it logs them instead, so that all lines of the program can be parsed.
func showAddresses(ctx context.Context, a *app.App, cfg config.Config, log *slog.Logger, out io.Writer) error {
	_, port, err := net.SplitHostPort(a.Addr().String())
	if err != nil {
		return fmt.Errorf("read the own address: %w", err)
	}
	for _, s := range a.Catalog().Current().Sites.All() {
		for _, host := range s.Hosts {
			address := addressOf(host, port, cfg.PublicURL)
			if cfg.LogFormat == config.LogJSON {
				log.InfoContext(ctx, "serving", "site", s.Alias, "address", address)
				continue
			}
			if _, err := fmt.Fprintf(out, "%-12s %s\n", s.Alias, address); err != nil {
				return err
			}
		}
	}
	return nil
}

// addressOf returns the address at which a browser opens a host: with the scheme and the port of the public URL, or
// without one by HTTP at the port that the program listens on.
func addressOf(host, port, publicURL string) string {
	scheme := "http"
	if public, err := url.Parse(publicURL); err == nil && publicURL != "" {
		scheme, port = public.Scheme, public.Port()
	}
	if port != "" {
		host = net.JoinHostPort(host, port)
	}
	return scheme + "://" + host
}

// migrate opens the database, which brings its tables up to date, and prints its name.
func migrate(ctx context.Context, cfg config.Config, out io.Writer) error {
	d, err := app.OpenDatabase(ctx, cfg)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: the tables are up to date\n", app.DatabaseName(cfg))
	return errors.Join(err, d.Close())
}

// printFaultsOf prints the faults in err, a line each, and returns errPrinted when err is of a content folder or of
// a file of providers, whose faults are errSettings too. It returns any other error, or nil, as it is.
func printFaultsOf(err error, errs io.Writer) error {
	var folder *content.Invalid
	if errors.As(err, &folder) {
		return printAndFail(folder.Faults, errs)
	}
	var file *provider.Invalid
	if errors.As(err, &file) {
		return errors.Join(errSettings, printAndFail(file.Faults, errs))
	}
	if errors.Is(err, access.ErrShortToken) { // of the settings: no other start uses it
		return errors.Join(errSettings, err)
	}
	var lacking *provider.Unconfigured
	if errors.As(err, &lacking) {
		return errors.Join(errSettings, printAndFail(lacking.All, errs))
	}
	return err
}

// printAndFail prints each fault on its own line and returns errPrinted.
func printAndFail[T fmt.Stringer](faults []T, to io.Writer) error {
	if err := printFaults(faults, to); err != nil {
		return err
	}
	return errPrinted
}

// printFaults prints each fault on its own line.
func printFaults[T fmt.Stringer](faults []T, to io.Writer) error {
	for _, f := range faults {
		if _, err := fmt.Fprintln(to, f); err != nil {
			return err
		}
	}
	return nil
}
