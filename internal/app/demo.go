//go:build !release

package app

import (
	"sync"

	"servery/content"
	contents "servery/internal/content"
)

// demoName is the source of the revisions that are the demo.
const demoName = "the demo"

// demo returns the content of the demo brands.
func demo() (from source, ok bool, err error) {
	return source{name: demoName, files: content.Demo()}, true, nil
}

// isDemo reports whether a revision is the demo: by its name, which the demo of an older release
// has too, or by its hash when the demo's folder was imported by hand.
func isDemo(name, hash string) bool {
	return name == demoName || hash == demoHash()
}

var demoHash = sync.OnceValue(func() string {
	hash, err := contents.Hash(content.Demo())
	if err != nil {
		panic(err) // the demo is embedded in the program
	}
	return hash
})
