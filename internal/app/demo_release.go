//go:build release

package app

// demo returns nothing: a release has no demo.
func demo() (from source, ok bool, err error) { return source{}, false, nil }

// isDemo reports false: a release has no demo to be the same.
func isDemo(_, _ string) bool { return false }
