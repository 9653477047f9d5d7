//go:build release

package app

// demo returns nothing: a release has no demo.
func demo() (from source, ok bool, err error) { return source{}, false, nil }

// isDemo returns false: a release has no demo.
func isDemo(_, _ string) bool { return false }
