package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"servery/internal/access"
)

// listen begins to listen at the address of the storefront, and at the address for operations if the
// settings have one. It serves no request yet.
func (a *App) listen(ctx context.Context) (err error) {
	if a.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", a.cfg.Addr); err != nil {
		return fmt.Errorf("cannot listen on %s: %w", a.cfg.Addr, err)
	}
	if a.cfg.OpsAddr == "" {
		return nil
	}
	if a.opsListener, err = new(net.ListenConfig).Listen(ctx, "tcp", a.cfg.OpsAddr); err != nil {
		return fmt.Errorf("cannot listen on %s: %w", a.cfg.OpsAddr, err)
	}
	return nil
}

// closeListeners closes the addresses that listen has opened.
func (a *App) closeListeners() (err error) {
	if a.listener != nil {
		err = a.listener.Close()
	}
	if a.opsListener != nil {
		err = errors.Join(err, a.opsListener.Close())
	}
	return err
}

// checkOperatorToken returns an error when the token of the settings is new and too short, and stores a
// hash of a new token. It logs a warning about any token of the settings, because such a token opens every
// call for every brand and is for the operator alone, and an alert about a short one that was in use before.
func (a *App) checkOperatorToken(ctx context.Context) error {
	if a.cfg.OperatorToken == "" {
		return nil
	}
	isShort, err := access.AcceptToken(ctx, a.db, a.clock, a.cfg.OperatorToken)
	if err != nil {
		return fmt.Errorf("SERVERY_OPERATOR_TOKEN: %w", err)
	}
	a.log.WarnContext(ctx, "SERVERY_OPERATOR_TOKEN opens every call for every brand: keep it for yourself, systems get tokens by servery token add, people accounts by servery staff add")
	if isShort {
		a.log.WarnContext(ctx, "operator token is short: replace it by one of 24 characters or more", slog.Bool("alert", true))
	}
	return nil
}
