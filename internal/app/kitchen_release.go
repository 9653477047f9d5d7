//go:build release

package app

import "context"

// prepareKitchen does nothing: a release has no simulated kitchen.
func (*App) prepareKitchen() {}

// runKitchen does nothing: a release has no simulated kitchen.
func (*App) runKitchen(context.Context) {}
