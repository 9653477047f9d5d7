package smsc_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/notify"
	"servery/internal/notify/smsc"
	"servery/internal/notify/smsc/double"
	"servery/internal/remote"
	"servery/internal/remote/faultinject"
)

const phone = "77012345678"

// newMessage returns a message to deliver.
func newMessage() notify.Message {
	return notify.Message{Phone: phone, Code: "0042", Text: "Ваш код 0042"}
}

// startProvider starts a double of the provider and returns it with settings that lead to it.
func startProvider(t *testing.T) (*double.Server, smsc.Settings) {
	t.Helper()
	d := double.New("login", "hunter2", "hunter3")
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return d, smsc.Settings{BaseURL: server.URL, Login: "login", Password: "hunter2", From: "Sushi"}
}

func TestSMSC_sendsATextByPasswordOrKey(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	byKey := smsc.Settings{BaseURL: settings.BaseURL, APIKey: "hunter3"}
	for _, s := range []smsc.Settings{settings, byKey} {
		if _, err := smsc.NewSMS(s).Send(t.Context(), newMessage()); err != nil {
			t.Fatal(err)
		}
	}
	sent := d.Sent()
	if len(sent) != 2 || sent[0]["mes"] != "Ваш код 0042" || sent[0]["sender"] != "Sushi" || sent[0]["charset"] != "utf-8" || sent[1]["psw"] != "" {
		t.Errorf("sent: %v", sent)
	}
}

func TestSMSC_callReturnsTheLastDigitsOfTheCallingNumber(t *testing.T) {
	t.Parallel()
	_, settings := startProvider(t)
	for _, length := range []int{4, 5, 6} {
		m := newMessage()
		m.Code = strings.Repeat("9", length)
		sent, err := smsc.NewCall(settings).Send(t.Context(), m)
		if err != nil || sent.Code != "280417"[6-length:] {
			t.Errorf("%d digits: %q, %v", length, sent.Code, err)
		}
	}
}

func TestSMSC_refusalNamesItsCodeAndNothingOfThePerson(t *testing.T) {
	t.Parallel()
	for code, undeliverable := range map[int]bool{1: false, 2: false, 3: false, 6: false, 7: true, 8: false, 9: false} {
		d, settings := startProvider(t)
		d.Refuse(phone, code)
		_, err := smsc.NewSMS(settings).Send(t.Context(), newMessage())
		var refusal *notify.Refusal
		if !errors.As(err, &refusal) || refusal.Code != fmt.Sprint(code) || errors.Is(err, notify.ErrUndeliverable) != undeliverable {
			t.Errorf("%d: %v", code, err)
			continue
		}
		if strings.Contains(err.Error(), phone) {
			t.Errorf("it has the number: %v", err)
		}
	}
	_, settings := startProvider(t)
	settings.Password = "other"
	if _, err := smsc.NewSMS(settings).Send(t.Context(), newMessage()); err == nil {
		t.Error("a wrong password is taken")
	}
}

func TestSMSC_outageIsATemporaryError(t *testing.T) {
	t.Parallel()
	for name, injected := range faultinject.All() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, settings := startProvider(t)
			ctx := t.Context()
			if injected.Silent {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
			}
			d.Inject(injected)
			_, err := smsc.NewSMS(settings).Send(ctx, newMessage())
			var fault *remote.Error
			if !errors.As(err, &fault) || errors.Is(err, notify.ErrUndeliverable) || strings.Contains(err.Error(), phone) {
				t.Fatalf("error: %v", err)
			}
		})
	}
}

func TestSMSC_oddAnswerIsAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"id":1,"cnt":0}`, `{"error":"?"}`, `{"error_code":"8"}`, `[]`, `OK - 1 SMS`} {
		d, settings := startProvider(t)
		d.Inject(faultinject.Fault{Status: 200, Body: body})
		if _, err := smsc.NewSMS(settings).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%s is taken for a sent message", body)
		}
	}
	for _, body := range []string{`{"id":1,"cnt":1}`, `{"id":1,"cnt":1,"code":17}`, `{"id":1,"cnt":1,"code":"12x4"}`} {
		d, settings := startProvider(t)
		d.Inject(faultinject.Fault{Status: 200, Body: body})
		if _, err := smsc.NewCall(settings).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%s is taken for a call", body)
		}
	}
}
