package push

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/SherClockHolmes/webpush-go"

	"servery/internal/db"
)

// keys are the pair by which push services know this program, in base64url. Subscriptions hold for
// one pair, so it is made once and stored.
type keys struct {
	Private string `json:"private"`
	Public  string `json:"public"`
}

// openKeys returns the stored pair. It makes a new pair at each call, which is stored only when there is
// none yet.
func openKeys(ctx context.Context, d *db.DB, now time.Time) (k keys, err error) {
	if k.Private, k.Public, err = webpush.GenerateVAPIDKeys(); err != nil {
		return keys{}, fmt.Errorf("make keys of push messages: %w", err)
	}
	candidate, err := json.Marshal(k)
	if err != nil {
		return keys{}, fmt.Errorf("make keys of push messages: %w", err)
	}
	stored, err := findOrStoreKeys(ctx, d, candidate, now)
	if err != nil {
		return keys{}, err
	}
	if err := json.Unmarshal(stored, &k); err != nil {
		return keys{}, fmt.Errorf("read keys of push messages: %w", err)
	}
	return k, nil
}
