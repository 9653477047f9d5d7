package staff

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
	"golang.org/x/crypto/argon2"
)

// The figures of argon2id, as OWASP recommends them: 19 MiB of memory, two passes.
const (
	hashMemory  = 19 * 1024
	hashPasses  = 2
	hashThreads = 1
	hashLength  = 32
	saltLength  = 16
)

// hashPassword returns the hash of a password as it is stored: figures, salt and hash.
func (s *Service) hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // crypto/rand never fails
	hash, err := s.argon2(ctx, password, salt, figures{hashMemory, hashPasses, hashThreads})
	if err != nil {
		return "", err
	}
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashThreads, encode(salt), encode(hash)), nil
}

// figures are what a hash was made with.
type figures struct {
	memory, passes uint32
	threads        uint8
}

// argon2 returns the hash of a password. It waits while too many other hashes are being made, and returns
// the error of ctx when ctx ends first.
func (s *Service) argon2(ctx context.Context, password string, salt []byte, f figures) ([]byte, error) {
	select {
	case s.hashing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-s.hashing }()
	return argon2.IDKey([]byte(password), salt, f.passes, f.memory, f.threads, hashLength), nil
}

// noPassword is the hash that a password is compared with where there is none, so that it takes as long.
const noPassword = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" //nolint:gosec // of no password that anyone has

// isPassword reports whether the stored hash is that of the password. Where nothing is stored it takes as
// long and returns false.
func (s *Service) isPassword(ctx context.Context, stored, password string) (bool, error) {
	exists := stored != ""
	if !exists {
		stored = noPassword
	}
	parts := strings.Split(stored, "$")
	if len(parts) != 6 {
		return false, fmt.Errorf("a stored password has %d parts", len(parts))
	}
	var f figures
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &f.memory, &f.passes, &f.threads); err != nil {
		return false, fmt.Errorf("read the figures of a stored password: %w", err)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, fmt.Errorf("read the salt of a stored password: %w", err)
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false, fmt.Errorf("read a stored password: %w", err)
	}
	got, err := s.argon2(ctx, password, salt, f)
	return err == nil && exists && subtle.ConstantTimeCompare(got, want) == 1, err
}

// stepLength is how long a code is shown.
const stepLength = 30 * time.Second

// newTOTP returns a secret for an app that makes codes, and the address that it reads from a QR code.
func newTOTP(login string) (secret, url string, err error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Servery", AccountName: login})
	if err != nil {
		return "", "", fmt.Errorf("make a secret for codes: %w", err)
	}
	return key.Secret(), key.URL(), nil
}

// matchTOTP returns the time step of a code, and whether the code is right. A right code is the secret's
// code of the present step, the step before or the step after. Its step is later than usedStep, the step
// of the last code that was used. No code is right for an empty secret.
func matchTOTP(secret, code string, now time.Time, usedStep int64) (step int64, isRight bool) {
	for _, shift := range []int64{-1, 0, 1} {
		at := now.Add(time.Duration(shift) * stepLength)
		want, err := totp.GenerateCodeCustom(secret, at, totp.ValidateOpts{Period: uint(stepLength / time.Second), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && secret != "" {
			step = at.Unix() / int64(stepLength/time.Second)
		}
	}
	return step, step > usedStep
}

// hashRecovery returns what is stored of a recovery code, which is random and long.
func hashRecovery(code string) string {
	code = strings.ToLower(strings.TrimSpace(code))
	return hex.EncodeToString(hashSecret(code))
}
