// Command doubles serves the stand-ins of providers that the journeys use with the real
// clients: SMS.RU below /smsru, Turnstile below /turnstile, VK ID below /vk, and the geocoders below /dadata,
// /yandex, /photon and /nominatim.
//
//	go run ./e2e/doubles -addr 127.0.0.1:9900
//
// GET /smsru/sent?phone= lists what was sent. POST /<double>/fault lets the next request to
// it go wrong: {"status":502}, {"silent":true}, {"cut":true}.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	captcha "servery/internal/captcha/double"
	geocoder "servery/internal/geocoder/double"
	smsru "servery/internal/notify/smsru/double"
	vk "servery/internal/vk/double"
)

// The names and secrets of these doubles in the file of providers.
const (
	apiID    = "double-api-id"
	secret   = "double-secret"
	clientID = "51000001"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on; it is printed once it is taken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *addr, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "doubles:", err)
		os.Exit(1)
	}
}

// newHandler returns the handler of all doubles.
func newHandler() http.Handler {
	mux := http.NewServeMux()
	for prefix, double := range map[string]http.Handler{
		"/smsru": smsru.New(apiID), "/turnstile": captcha.NewTurnstile(secret), "/vk": vk.New(clientID),
		"/dadata": geocoder.NewDaData(), "/yandex": geocoder.NewYandex(), "/photon": geocoder.NewPhoton(), "/nominatim": geocoder.NewNominatim(),
	} {
		mux.Handle(prefix+"/", http.StripPrefix(prefix, double))
	}
	return mux
}

// serve listens at addr, prints the address, and serves until ctx ends.
func serve(ctx context.Context, addr string, out io.Writer) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	server := &http.Server{Handler: newHandler(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() }) // without waiting: some requests hang on purpose
	if _, err := fmt.Fprintf(out, "http://%s\n", listener.Addr()); err != nil {
		return fmt.Errorf("say the address: %w", err)
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
