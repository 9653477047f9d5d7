//go:build !release

package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"sync"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
)

const (
	secretName = "sandbox"
	keyBits    = 2048
)

// keys are made at the first need and shared by all processes on the database.
type keys struct {
	db    *db.DB
	clock clock.Clock

	mu     sync.Mutex
	card   *rsa.PrivateKey
	public string
	seal   [sha256.Size]byte
}

// loadKeys reads the keys from the database, or makes and stores them when there are none. It
// does so once in a process.
func (k *keys) loadKeys(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.card != nil {
		return nil
	}
	stored, err := k.db.Read().GetSecret(ctx, secretName)
	if err != nil { // there are none yet
		generated, err := rsa.GenerateKey(rand.Reader, keyBits)
		if err != nil {
			return fmt.Errorf("key of the test bank: %w", err)
		}
		err = k.db.InTx(ctx, func(tx *db.Tx) error {
			err := tx.Q.InsertSecret(ctx, gen.InsertSecretParams{Name: secretName, Value: x509.MarshalPKCS1PrivateKey(generated), Now: k.clock.Now()})
			if err == nil {
				stored, err = tx.Q.GetSecret(ctx, secretName) // those of another process, if it was first
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("key of the test bank: %w", err)
		}
	}
	card, err := x509.ParsePKCS1PrivateKey(stored)
	if err != nil {
		return fmt.Errorf("key of the test bank: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(&card.PublicKey)
	if err != nil {
		return fmt.Errorf("key of the test bank: %w", err)
	}
	k.card, k.seal = card, sha256.Sum256(stored)
	k.public = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	return nil
}

// privateKey returns the key that decrypts cards.
func (k *keys) privateKey(ctx context.Context) (*rsa.PrivateKey, error) {
	err := k.loadKeys(ctx)
	return k.card, err
}

// publicPEM returns the key that encrypts cards, in PEM.
func (k *keys) publicPEM(ctx context.Context) (string, error) {
	err := k.loadKeys(ctx)
	return k.public, err
}

// signText returns a keyed hash of a text. Each brand and each use has a key of its own.
func (k *keys) signText(ctx context.Context, use, site string, text []byte) ([]byte, error) {
	if err := k.loadKeys(ctx); err != nil {
		return nil, err
	}
	siteKey := hmac.New(sha256.New, k.seal[:])
	siteKey.Write([]byte(use + "\x00" + site))
	mac := hmac.New(sha256.New, siteKey.Sum(nil))
	mac.Write(text)
	return mac.Sum(nil), nil
}
