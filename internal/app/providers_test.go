package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/config"
)

func TestStart_logsProvidersThatAreNotConfigured(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		folder, providers := writeMenu(t, "30"), filepath.Join(t.TempDir(), "providers.yaml")
		brand := strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", "settings: {is_auth_enabled: true, notification_channels: [sms], ", 1)
		brand = strings.Replace(brand, "{delivery: [cash, card]", "{delivery: [sbp, cash]", 1) + "acquiring: {sbp: bank}\n"
		if err := errors.Join(os.WriteFile(filepath.Join(folder, "sushi", "brand.yaml"), []byte(brand), 0o600), os.WriteFile(providers, []byte("{}"), 0o600)); err != nil {
			t.Fatal(err)
		}
		s.mustStart(t, func(c *config.Config) { c.Content = folder })
		const account, channel = "field=acquiring names=bank", "field=notification_channels names=sms"
		if !s.log.has(account) || s.log.has(channel) {
			t.Error("without a file the account alone is missing")
		}
		s.mustStart(t, func(c *config.Config) { c.Providers = providers })
		if !s.log.has(channel) {
			t.Error("the log does not say that no provider sends codes")
		}
	})
}
