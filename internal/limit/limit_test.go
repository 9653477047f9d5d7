package limit_test

import (
	"strings"
	"testing"

	"servery/internal/limit"
)

// The default limits and no limits at all are written and read back unchanged.
func TestParse_readsWhatStringWrites(t *testing.T) {
	t.Parallel()
	for _, want := range []limit.Limits{limit.Default(), {}} {
		got, err := limit.Parse(want.String())
		if err != nil || got != want {
			t.Errorf("%s is read as %+v, %v", want, got, err)
		}
	}
}

// Two limits are named; the others have their defaults.
func TestParse_leavesWhatIsNotNamed(t *testing.T) {
	t.Parallel()
	got, err := limit.Parse("orders-per-phone=5, holds-per-network=100")
	want := limit.Default()
	want.OrdersPerPhone, want.HoldsPerNetwork = 5, 100
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}

// Unknown names, missing values, numbers below 1 and a hold-share of 1 are errors.
func TestParse_refusesWhatIsNoLimit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"orders-per-house=3", "orders-per-phone", "orders-per-phone=0", "orders-per-phone=-1", "orders-per-phone=x", "hold-share=1", "on"} {
		if got, err := limit.Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// IPv4 addresses have a /24, IPv6 addresses and prefixes a /48, any other text nothing.
func TestNetworkOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.77": "192.0.2.0/24", "::ffff:192.0.2.77": "192.0.2.0/24", "2001:db8:1:2:3:4:5:6": "2001:db8:1::/48",
		"2001:db8:1:2::/64": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48", "": "", "no": "",
	} {
		if got := limit.NetworkOf(address); got != want {
			t.Errorf("%s is counted with %s, want %s", address, got, want)
		}
	}
}

// The same address, site and secret have the same mark; with any of them changed it is another.
// No mark contains the address, and no address has an empty mark.
func TestMarks_differByAddressSiteAndSecret(t *testing.T) {
	t.Parallel()
	marks := limit.NewMarks([]byte("the secret"))
	mark := marks.Of("sushi", "192.0.2.77")
	if again := limit.NewMarks([]byte("the secret")).Of("sushi", "192.0.2.77"); again != mark {
		t.Errorf("twice it is %s and %s", mark, again)
	}
	for name, other := range map[string]string{
		"another address": marks.Of("sushi", "192.0.2.78"), "another site": marks.Of("pizza", "192.0.2.77"),
		"another secret": limit.NewMarks([]byte("another")).Of("sushi", "192.0.2.77"),
	} {
		if other == mark || other == "" || strings.Contains(other, "192") {
			t.Errorf("%s has the mark %s", name, other)
		}
	}
	if got := marks.Of("sushi", ""); got != "" {
		t.Errorf("no address has the mark %s", got)
	}
}
