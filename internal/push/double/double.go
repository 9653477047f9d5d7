// Package double is a push service and a browser for tests: it checks the signature of each message
// (RFC 8292), decrypts it (RFC 8291) and has the faults of the real ones.
package double

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

var encoding = base64.RawURLEncoding

// Message is what a browser got.
type Message struct {
	Title, Body, Tag, Path, Lang string
}

// Service is a push service with one browser. It is safe for concurrent use.
type Service struct {
	key    *ecdh.PrivateKey
	secret []byte

	mu       sync.Mutex
	answers  []any // a status or an error for each next message
	messages []Message
	faults   []error
	got      chan struct{}
}

// New returns a push service whose browser has keys of its own.
func New() (*Service, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // crypto/rand never fails
	return &Service{key: key, secret: secret, got: make(chan struct{}, 100)}, nil
}

// Keys returns the public key and the secret of the browser.
func (s *Service) Keys() (p256dh, auth string) {
	return encoding.EncodeToString(s.key.PublicKey().Bytes()), encoding.EncodeToString(s.secret)
}

// Answer plans how the next messages are answered: with a status, or not at all for an error.
func (s *Service) Answer(answers ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Messages returns what the browser got.
func (s *Service) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message{}, s.messages...)
}

// Faults returns what was wrong with the messages.
func (s *Service) Faults() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]error{}, s.faults...)
}

// Got returns a channel that gets a value for each message that arrived.
func (s *Service) Got() <-chan struct{} { return s.got }

// Client returns a client for which every host is this service.
func (s *Service) Client() *http.Client { return &http.Client{Transport: transport{s}} }

type transport struct{ service *Service }

// RoundTrip implements [http.RoundTripper].
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if answer := t.service.takeAnswer(); answer != nil {
		if err, ok := answer.(error); ok {
			return nil, err
		}
		status, _ := answer.(int)
		return &http.Response{StatusCode: status, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
	}
	recorder := httptest.NewRecorder()
	t.service.accept(recorder, r)
	return recorder.Result(), nil
}

// takeAnswer removes the next planned answer and returns it; nil when none is planned.
func (s *Service) takeAnswer() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) == 0 {
		return nil
	}
	first := s.answers[0]
	s.answers = s.answers[1:]
	return first
}

// accept stores the message of a request and answers 201, or stores what is wrong with it and answers
// 400.
func (s *Service) accept(w http.ResponseWriter, r *http.Request) {
	m, err := s.readMessage(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.faults = append(s.faults, err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.messages = append(s.messages, m)
	s.got <- struct{}{}
	w.WriteHeader(http.StatusCreated)
}

// readMessage checks a request and returns the decrypted message in it.
func (s *Service) readMessage(r *http.Request) (m Message, err error) {
	if r.Method != http.MethodPost || r.Header.Get("TTL") == "" || r.Header.Get("Content-Encoding") != "aes128gcm" {
		return m, errors.New("no message of RFC 8030")
	}
	if err := checkSignature(r.Header.Get("Authorization"), "https://"+r.URL.Host); err != nil {
		return m, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return m, err
	}
	text, err := s.decrypt(body)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

// decrypt returns the text of a body, which is a salt, the size of records, the sender's key and one
// record.
func (s *Service) decrypt(body []byte) ([]byte, error) {
	const head = 16 + 4 + 1 + 65
	if len(body) <= head || body[20] != 65 {
		return nil, errors.New("no body of RFC 8188")
	}
	salt, senderKey, record := body[:16], body[21:head], body[head:]
	sender, err := ecdh.P256().NewPublicKey(senderKey)
	if err != nil {
		return nil, err
	}
	shared, err := s.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(s.key.PublicKey().Bytes()) + string(senderKey)
	secret, err := hkdf.Key(sha256.New, shared, s.secret, info, 32)
	if err != nil {
		return nil, err
	}
	key, keyErr := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	nonce, nonceErr := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err := errors.Join(keyErr, nonceErr); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, record, nil)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(padded), "\x00") // the text is followed by \x02 and any number of zeros
	return []byte(strings.TrimSuffix(text, "\x02")), nil
}

// checkSignature checks an Authorization of the form "vapid t=token, k=key".
func checkSignature(header, origin string) error {
	var token, key string
	for part := range strings.SplitSeq(strings.TrimPrefix(header, "vapid "), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			token = value
		case "k":
			key = value
		}
	}
	parts := strings.Split(token, ".")
	point, err := encoding.DecodeString(key)
	if err != nil || len(parts) != 3 || len(point) != 65 {
		return fmt.Errorf("no signature of RFC 8292: %q", header)
	}
	signature, err := encoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return errors.New("no signature of ES256")
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return fmt.Errorf("no key of P-256: %w", err)
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is wrong")
	}
	return checkClaims(parts[1], origin)
}

// checkClaims returns an error unless the claims in a part of a VAPID token are for the origin, name a
// contact and expire within a day.
func checkClaims(part, origin string) error {
	text, err := encoding.DecodeString(part)
	if err != nil {
		return err
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return err
	}
	left := time.Until(time.Unix(claims.Exp, 0)) //nolint:forbidigo // webpush-go signs by the clock of the machine
	if claims.Aud != origin || !strings.HasPrefix(claims.Sub, "https:") && !strings.HasPrefix(claims.Sub, "mailto:") || left <= 0 || left > 24*time.Hour {
		return fmt.Errorf("the claims are wrong: %s", text)
	}
	return nil
}
