package twilio_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/notify/twilio"
	"servery/internal/notify/twilio/double"
	"servery/internal/remote"
	"servery/internal/remote/faultinject"
)

const phone = "4915112345678"

// newMessage returns a message to deliver.
func newMessage() notify.Message {
	return notify.Message{Phone: phone, Code: "9999", Text: "Dein Code 9999", Lang: lang.DE}
}

// startProvider starts a double of the provider and returns it with settings that lead to it.
func startProvider(t *testing.T) (*double.Server, twilio.Settings) {
	t.Helper()
	d := double.New("VA1", "AC1", "hunter2")
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return d, twilio.Settings{BaseURL: server.URL, Service: "VA1", Account: "AC1", Secret: "hunter2"}
}

func TestTwilio_makesSendsAndChecksTheCode(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	v := twilio.New(settings, notify.Call)
	sent, err := v.Send(t.Context(), newMessage())
	if err != nil || sent.Ref == "" || sent.Code != "" {
		t.Fatal(sent, err)
	}
	code, channel, locale := d.LastCode(phone)
	if channel != "call" || locale != "de" || code == "9999" {
		t.Errorf("sent %s by %s in %s", code, channel, locale)
	}
	if ok, err := v.Check(t.Context(), sent.Ref, phone, "0000"); ok || err != nil {
		t.Errorf("a wrong code: %v %v", ok, err)
	}
	if ok, err := v.Check(t.Context(), sent.Ref, phone, code); !ok || err != nil {
		t.Errorf("the code: %v %v", ok, err)
	}
	if ok, err := v.Check(t.Context(), sent.Ref, phone, code); ok || err != nil {
		t.Errorf("the code again: %v %v", ok, err)
	}
}

func TestTwilio_codeOfAnotherVerificationIsWrong(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	v := twilio.New(settings, notify.SMS)
	first, err := v.Send(t.Context(), newMessage())
	if err != nil {
		t.Fatal(err)
	}
	d.Expire(phone)
	if _, err := v.Send(t.Context(), newMessage()); err != nil {
		t.Fatal(err)
	}
	code, _, _ := d.LastCode(phone)
	if ok, err := v.Check(t.Context(), first.Ref, phone, code); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}

func TestTwilio_codeThatIsUsedUpOrExpiredStaysWrong(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	v := twilio.New(settings, notify.SMS)
	if ok, err := v.Check(t.Context(), "VE0", phone, "1234"); ok || err != nil {
		t.Errorf("unknown: %v %v", ok, err)
	}
	sent, err := v.Send(t.Context(), newMessage())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if ok, err := v.Check(t.Context(), sent.Ref, phone, "x"); ok || err != nil {
			t.Errorf("a guess: %v %v", ok, err)
		}
	}
	code, _, _ := d.LastCode(phone)
	if ok, err := v.Check(t.Context(), sent.Ref, phone, code); ok || err != nil {
		t.Errorf("after five guesses: %v %v", ok, err)
	}
}

func TestTwilio_refusalNamesItsCodeAndNothingOfThePerson(t *testing.T) {
	t.Parallel()
	_, settings := startProvider(t)
	v := twilio.New(settings, notify.SMS)
	m := newMessage()
	m.Phone = "70000000000"
	if _, err := v.Send(t.Context(), m); !errors.Is(err, notify.ErrUndeliverable) || strings.Contains(err.Error(), m.Phone) {
		t.Errorf("a number that there is not: %v", err)
	}
	var err error
	for range 6 {
		_, err = v.Send(t.Context(), newMessage())
	}
	var refusal *notify.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "60203" || errors.Is(err, notify.ErrUndeliverable) {
		t.Errorf("too many sends: %v", err)
	}
	settings.Secret = "other"
	if _, err := twilio.New(settings, notify.SMS).Send(t.Context(), newMessage()); !errors.As(err, &refusal) || refusal.Code != "20003" {
		t.Errorf("a wrong secret: %v", err)
	}
	if _, err := twilio.New(settings, notify.SMS).Check(t.Context(), "VE1", phone, "1"); !errors.As(err, &refusal) {
		t.Errorf("a check with a wrong secret: %v", err)
	}
}

func TestTwilio_outageLeavesTheCodeUnknown(t *testing.T) {
	t.Parallel()
	for name, injected := range faultinject.All() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, settings := startProvider(t)
			v := twilio.New(settings, notify.SMS)
			ctx := t.Context()
			if injected.Silent {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
			}
			var fault *remote.Error
			d.Inject(injected)
			if _, err := v.Send(ctx, newMessage()); !errors.As(err, &fault) || strings.Contains(err.Error(), phone) {
				t.Errorf("send: %v", err)
			}
			d.Inject(injected)
			if ok, err := v.Check(ctx, "VE1", phone, "1234"); ok || err == nil {
				t.Errorf("check: %v %v", ok, err)
			}
		})
	}
}

func TestTwilio_oddAnswerIsAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"sid":"VE1","status":"canceled"}`, `{"status":"pending"}`, `[]`} {
		d, settings := startProvider(t)
		d.Inject(faultinject.Fault{Status: 201, Body: body})
		if _, err := twilio.New(settings, notify.SMS).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%s is taken for a sent message", body)
		}
	}
	for _, body := range []string{`{"sid":"VE1","status":"approved","valid":false}`, `{"sid":"VE1","status":"pending","valid":true}`} {
		d, settings := startProvider(t)
		d.Inject(faultinject.Fault{Status: 200, Body: body})
		if ok, _ := twilio.New(settings, notify.SMS).Check(t.Context(), "VE1", phone, "1234"); ok {
			t.Errorf("%s is taken for the code", body)
		}
	}
}
