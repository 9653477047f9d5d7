//go:build !release

package app

import (
	"context"
	"crypto/rand"

	"servery/internal/simulate"
)

// prepareKitchen makes an operator's token for the simulated kitchen when the settings have none.
func (a *App) prepareKitchen() {
	if a.cfg.Simulate && a.cfg.OperatorToken == "" {
		a.cfg.OperatorToken = rand.Text()
	}
}

// runKitchen runs the simulated kitchen, if it is switched on. It does nothing while other content
// than the demo is sold, whose orders are of real customers.
func (a *App) runKitchen(ctx context.Context) {
	if !a.cfg.Simulate {
		return
	}
	kitchen := simulate.New(simulate.Options{
		BaseURL: "http://" + LocalAddress(a.Addr().String()), Token: a.cfg.OperatorToken, Pace: a.cfg.SimulatePace, Logger: a.log,
		IsPaused: func() bool {
			current := a.areas.Catalog.Current()
			return !isDemo(current.Source, current.Hash)
		},
	})
	a.work.Go(func() { kitchen.Run(ctx) })
}
