// Command doubles serves the stand-ins of providers that the journeys use with the real
// clients: SMS.RU below /smsru, Turnstile below /turnstile, VK ID below /vk.
//
//	go run ./e2e/doubles -addr 127.0.0.1:9900
//
// GET /smsru/sent?phone= lists what was sent. POST /<double>/mood lets the next request to
// it go wrong: {"status":502}, {"silent":true}, {"cut":true}.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	captcha "servery/internal/captcha/double"
	smsru "servery/internal/notify/smsru/double"
	vk "servery/internal/vk/double"
)

// What the file of providers says of these doubles.
const (
	apiID    = "double-api-id"
	secret   = "double-secret"
	clientID = "51000001"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on; it is printed once it is taken")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "doubles:", err)
		os.Exit(1)
	}
}

func serve(addr string) error {
	mux := http.NewServeMux()
	for prefix, double := range map[string]http.Handler{
		"/smsru": smsru.New(apiID), "/turnstile": captcha.NewTurnstile(secret), "/vk": vk.New(clientID),
	} {
		mux.Handle(prefix+"/", http.StripPrefix(prefix, double))
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return (&http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}).Serve(listener)
}
