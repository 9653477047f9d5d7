package captcha

import (
	"context"
	"net/http"
	"net/url"

	"servery/internal/remote"
)

// SmartCaptchaURL is where SmartCaptcha checks tokens and its widget comes from.
const SmartCaptchaURL = "https://smartcaptcha.yandexcloud.net"

// SmartCaptcha is Yandex Cloud's captcha.
type SmartCaptcha struct {
	remote *remote.Client
	secret string
}

// NewSmartCaptcha returns the client of a captcha; base is [SmartCaptchaURL], or a double's
// address.
func NewSmartCaptcha(base, secret string) *SmartCaptcha {
	return &SmartCaptcha{remote: remote.New(SmartCaptchaName, base, timeout), secret: secret}
}

// Verify implements [Verifier].
func (c *SmartCaptcha) Verify(ctx context.Context, token, address string) (Result, error) {
	if token == "" {
		return Refused, nil
	}
	form := url.Values{"secret": {c.secret}, "token": {token}}
	if ip, ok := remote.IPAddress(address); ok {
		form.Set("ip", ip)
	}
	var answer struct {
		Status string `json:"status"`
	}
	status, err := c.remote.PostForm(ctx, "/validate", form, remote.Account{}, &answer)
	switch {
	case err != nil:
		return failedResult(err)
	case status != http.StatusOK:
		// A wrong secret among others. The provider's words stay out: they may hold it.
		return failedResult(&remote.Error{Provider: SmartCaptchaName, Status: status, Reason: "it did not check the token"})
	case answer.Status == "ok":
		return Passed, nil
	case answer.Status == "failed":
		return Refused, nil
	}
	return failedResult(&remote.Error{Provider: SmartCaptchaName, Status: status, Reason: "the answer says neither ok nor failed"})
}
