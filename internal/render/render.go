// Package render runs the page's own React components on the server: the script
// that the page's build made is executed in an embedded JavaScript engine and
// answers the HTML of a whole page. It does not depend on what is on the page.
package render

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"modernc.org/quickjs"

	"servery/internal/memory"
)

// A page of two hundred cards takes some 40 ms; longer than this means a loop.
const timeLimit = 10 * time.Second

// React walks the tree by recursion; the engine's own limit is too small for it.
const stack = 8 << 20

// Renderer turns page data into HTML. It is safe for concurrent use.
type Renderer struct {
	compile func() ([]byte, error)
	// seats bounds the engines at work: each takes a core and some 20 MB.
	seats chan struct{}
}

const (
	freeMemoryAfter = 3 * time.Second
	// maxEngines is how many pages are rendered at once.
	maxEngines = 2
)

// freeMemory returns the timer that returns memory to the system once nothing was rendered in the
// process for a while: a page leaves tens of megabytes of garbage, and the next may come hours later.
var freeMemory = sync.OnceValue(func() *time.Timer {
	return time.AfterFunc(freeMemoryAfter, func() {
		if err := memory.Release(); err != nil {
			slog.Debug("memory of pages not released", "error", err)
		}
	})
})

// New returns a renderer of the script that defines renderPage(json). The script is read and compiled
// when the first page is rendered; after that only its bytecode is held.
func New(read func() (script string, err error)) *Renderer {
	compile := func() ([]byte, error) {
		script, err := read()
		if err != nil {
			return nil, err
		}
		return compileScript(script)
	}
	return &Renderer{compile: sync.OnceValues(compile), seats: make(chan struct{}, maxEngines)}
}

// RenderPage returns the HTML of the page that data (JSON of the contract's PageData)
// describes. Each page is rendered in an engine of its own, so that nothing leaks from one page
// into another; pages are rendered seldom and cached.
func (r *Renderer) RenderPage(ctx context.Context, data []byte) (html string, err error) {
	select {
	case r.seats <- struct{}{}:
		defer func() {
			<-r.seats
			freeMemory().Reset(freeMemoryAfter)
		}()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	code, err := r.compile()
	if err != nil {
		return "", err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return "", fmt.Errorf("start JavaScript engine: %w", err)
	}
	defer func() { err = errors.Join(err, vm.Close()) }()
	vm.SetMaxStackSize(stack)
	if err := vm.SetEvalTimeout(timeLimit); err != nil {
		return "", fmt.Errorf("limit page script: %w", err)
	}
	if _, err := vm.EvalBytecode(code); err != nil {
		return "", fmt.Errorf("run page script: %w", err)
	}
	result, err := vm.Call("renderPage", string(data))
	if err != nil {
		return "", fmt.Errorf("render page: %w", err)
	}
	text, ok := result.(string)
	if !ok {
		return "", fmt.Errorf("render page: renderPage answered %T", result)
	}
	return text, nil
}
