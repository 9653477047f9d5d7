package login

// Limits are the figures that bound signing in (demands §2).
type Limits struct{}

// DefaultLimits are the figures of demands §2.
func DefaultLimits() Limits { return Limits{} }
