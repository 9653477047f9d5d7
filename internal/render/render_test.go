package render_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"servery/internal/render"
)

// newRenderer returns a renderer of the script.
func newRenderer(script string) *render.Renderer {
	return render.New(func() (string, error) { return script, nil })
}

func TestRenderPage_returnsTheAnswerOfTheScript(t *testing.T) {
	t.Parallel()
	r := newRenderer(`globalThis.renderPage = (json) => "<h1>" + JSON.parse(json).title + "</h1>"`)
	html, err := r.RenderPage(t.Context(), []byte(`{"title":"Суши ёж"}`))
	if err != nil || html != "<h1>Суши ёж</h1>" {
		t.Fatalf("got %q, %v", html, err)
	}
}

func TestRenderPage_keepsNothingOfAnotherPage(t *testing.T) {
	t.Parallel()
	r := newRenderer(`let n = 0; globalThis.renderPage = () => String(++n)`)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if html, err := r.RenderPage(t.Context(), []byte(`{}`)); err != nil || html != "1" {
				t.Errorf("got %q, %v", html, err)
			}
		})
	}
	wait.Wait()
}

func TestRenderPage_returnsAFaultOfTheScript(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"syntax":     `function (`,
		"thrown":     `globalThis.renderPage = () => { throw new Error("no plate") }`,
		"not a text": `globalThis.renderPage = () => 7`,
		"missing":    `1`,
	} {
		if _, err := newRenderer(script).RenderPage(t.Context(), []byte(`{}`)); err == nil {
			t.Errorf("%s: no error", name)
		} else if name == "thrown" && !strings.Contains(err.Error(), "no plate") || name == "syntax" && !strings.Contains(err.Error(), "SyntaxError") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRenderPage_returnsThatTheScriptCannotBeRead(t *testing.T) {
	t.Parallel()
	unreadable := errors.New("not built")
	r := render.New(func() (string, error) { return "", unreadable })
	if _, err := r.RenderPage(t.Context(), []byte(`{}`)); !errors.Is(err, unreadable) {
		t.Errorf("got %v", err)
	}
}

func TestRenderPage_holdsNoSourceButTheLinesOfErrors(t *testing.T) {
	t.Parallel()
	r := newRenderer("globalThis.renderPage = (json) => {\n  const fail = () => { throw new Error('no plate') };\n" +
		"  try { fail() } catch (e) { return renderPage.toString() + e.stack }\n}")
	html, err := r.RenderPage(t.Context(), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html, "no plate") || !strings.Contains(html, "native code") {
		t.Errorf("the source is held: %s", html)
	}
	if !strings.Contains(html, "<page>:2:") {
		t.Errorf("the stack has no line: %s", html)
	}
}
