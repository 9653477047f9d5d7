package doctor_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/doctor"
	"servery/internal/server"
)

// TestMain lets this process trust the certificate that all test servers with TLS have.
func TestMain(m *testing.M) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	trusting, isTransport := s.Client().Transport.(*http.Transport)
	usual, isUsual := http.DefaultTransport.(*http.Transport)
	if isTransport && isUsual {
		usual.TLSClientConfig = trusting.TLSClientConfig.Clone()
	}
	s.Close()
	m.Run()
}

// Without the scheme of the customer's request cookies are not secure; it shows in the header that only encrypted
// requests are answered with. Metrics tell everybody who reads them how many orders a brand has.
func TestExamine_looksAtWhatTheProxyPassesOn(t *testing.T) {
	t.Parallel()
	const scheme, metrics = "problem proxies: the program takes requests to https://", "problem metrics: everybody can read https://"
	for name, c := range map[string]struct {
		strict, open bool
		problems     []string
	}{
		"all right":              {true, false, nil},
		"the scheme is left out": {false, false, []string{scheme}},
		"metrics for everybody":  {true, true, []string{metrics}},
		"both":                   {false, true, []string{scheme, metrics}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.strict {
					w.Header().Set("Strict-Transport-Security", "max-age=31536000")
				}
				if r.URL.Path != "/metrics" || !c.open {
					answerHealthy(w, r)
				}
			}))
			t.Cleanup(proxy.Close)
			text := formatFindings(doctor.Examine(t.Context(), config.Config{
				Addr: proxy.Listener.Addr().String(), Data: t.TempDir(), PublicURL: proxy.URL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			}, clock.System{}))
			for _, problem := range []string{scheme, metrics} {
				wanted := strings.Contains(strings.Join(c.problems, "\n"), problem)
				if strings.Contains(text, problem) != wanted {
					t.Errorf("%q is wanted %v:\n%s", problem, wanted, text)
				}
			}
		})
	}
}

// A program that gets another host shows every brand as one; without the addresses of customers, or with whatever they
// write, no limit by address holds.
func TestExamine_saysWhatTheProxyMakesOfHostAndAddress(t *testing.T) {
	t.Parallel()
	program := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" && r.Header.Get(server.ProbeHeader) != "" {
			_ = json.NewEncoder(w).Encode(server.DescribePassage(r))
			return
		}
		answerHealthy(w, r)
	}))
	target, err := url.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	const host, missing, asSent = "problem proxies: the program gets the host ", "problem proxies: the proxy leaves out X-Forwarded-For: ",
		"problem proxies: the proxy passes X-Forwarded-For on as callers write it: "
	for name, c := range map[string]struct {
		rewrite func(*httputil.ProxyRequest)
		problem string
	}{
		"all right": {func(r *httputil.ProxyRequest) {
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		}, ""},
		"the host is left out":    {func(r *httputil.ProxyRequest) { r.SetXForwarded() }, host},
		"the address is left out": {func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host }, missing},
		"the address is believed": {func(r *httputil.ProxyRequest) {
			r.Out.Host = r.In.Host
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		}, asSent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				c.rewrite(r)
			}})
			t.Cleanup(proxy.Close)
			text := formatFindings(doctor.Examine(t.Context(), config.Config{
				Addr: listenAddress(program), Data: t.TempDir(), PublicURL: proxy.URL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			}, clock.System{}))
			for _, problem := range []string{host, missing, asSent} {
				if strings.Contains(text, problem) != (problem == c.problem) {
					t.Errorf("%q is wanted %v:\n%s", problem, problem == c.problem, text)
				}
			}
		})
	}
}
