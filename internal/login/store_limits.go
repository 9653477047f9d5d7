package login

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// budgetKey identifies a budget: of a phone at a site, for unknown devices (0) or a known one.
type budgetKey struct {
	site     string
	phone    hash
	deviceID int64
}

// toBudget returns the budget that a row stores.
func toBudget(row gen.FindLoginBudgetRow) budget {
	return budget{
		inRow: int(row.InRow), wrong: int(row.Wrong), today: int(row.Today),
		dayBegan: row.DayBegan, nextAt: row.NextAt, wrongAt: row.WrongAt,
	}
}

// findBudget returns a budget; an empty one when there is none.
func findBudget(ctx context.Context, q *gen.Queries, k budgetKey) (budget, error) {
	row, err := q.FindLoginBudget(ctx, gen.FindLoginBudgetParams{Site: k.site, PhoneHash: k.phone[:], DeviceID: k.deviceID})
	if errors.Is(err, db.ErrNotFound) {
		return budget{}, nil
	}
	if err != nil {
		return budget{}, fmt.Errorf("find login budget: %w", err)
	}
	return toBudget(row), nil
}

// changeBudget locks a budget, changes it by the function and stores it. An error of the function
// is returned as it is.
func changeBudget(ctx context.Context, q *gen.Queries, k budgetKey, now time.Time, change func(budget) (budget, error)) error {
	row, err := q.LockLoginBudget(ctx, gen.LockLoginBudgetParams{Site: k.site, PhoneHash: k.phone[:], DeviceID: k.deviceID, Now: now})
	if err != nil {
		return fmt.Errorf("lock login budget: %w", err)
	}
	b, err := change(toBudget(gen.FindLoginBudgetRow(row)))
	if err != nil {
		return err
	}
	err = q.SaveLoginBudget(ctx, gen.SaveLoginBudgetParams{
		InRow: int64(b.inRow), Wrong: int64(b.wrong), Today: int64(b.today), DayBegan: b.dayBegan, NextAt: b.nextAt, WrongAt: b.wrongAt,
		Site: k.site, PhoneHash: k.phone[:], DeviceID: k.deviceID,
	})
	if err != nil {
		return fmt.Errorf("save login budget: %w", err)
	}
	return nil
}

// findDevice returns the id of a known device of a phone that was used since an instant; 0 when there
// is none.
func findDevice(ctx context.Context, q *gen.Queries, site string, phone, token hash, after time.Time) (int64, error) {
	id, err := q.FindLoginDevice(ctx, gen.FindLoginDeviceParams{Site: site, PhoneHash: phone[:], TokenHash: token[:], After: after})
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find known device: %w", err)
	}
	return id, nil
}

// hasDevice reports whether the secret is one that the site has issued to a browser, for any phone.
func hasDevice(ctx context.Context, q *gen.Queries, site string, token hash) (bool, error) {
	isIssued, err := q.HasLoginDevice(ctx, gen.HasLoginDeviceParams{Site: site, TokenHash: token[:]})
	if err != nil {
		return false, fmt.Errorf("find device: %w", err)
	}
	return isIssued, nil
}

// storeDevice stores that the device with the token is known for the phone at the site.
func storeDevice(ctx context.Context, q *gen.Queries, site string, phone, token hash, now time.Time) error {
	err := q.KeepLoginDevice(ctx, gen.KeepLoginDeviceParams{Site: site, PhoneHash: phone[:], TokenHash: token[:], Now: now})
	if err != nil {
		return fmt.Errorf("store known device: %w", err)
	}
	return nil
}

// trafficCounts is what is added to the traffic of an hour.
type trafficCounts struct{ sent, passed, checked, wrong int64 }

// addTraffic adds counts to the traffic of a scope in an hour.
func addTraffic(ctx context.Context, q *gen.Queries, site, scope string, hour time.Time, c trafficCounts) error {
	err := q.AddLoginTraffic(ctx, gen.AddLoginTrafficParams{
		Site: site, Scope: scope, Hour: hour, Sent: c.sent, Passed: c.passed, Checked: c.checked, Wrong: c.wrong,
	})
	if err != nil {
		return fmt.Errorf("count login traffic: %w", err)
	}
	return nil
}

// deleteEmptyTraffic deletes the traffic of a scope in an hour when it counts nothing. The transaction
// must have locked the row by addTraffic.
func deleteEmptyTraffic(ctx context.Context, q *gen.Queries, site, scope string, hour time.Time) error {
	if err := q.DeleteEmptyLoginTraffic(ctx, gen.DeleteEmptyLoginTrafficParams{Site: site, Scope: scope, Hour: hour}); err != nil {
		return fmt.Errorf("delete empty login traffic: %w", err)
	}
	return nil
}

// usualFor is how far back the usual traffic is computed.
const usualFor = 7 * 24 * time.Hour

// sumTraffic returns the traffic of a scope in the last hours and day, and for comparison the
// traffic of the week before.
func sumTraffic(ctx context.Context, q *gen.Queries, site, scope string, now time.Time) (traffic, error) {
	present := hourOf(now) // the last of the 24 hours that count as a day
	row, err := q.SumLoginTraffic(ctx, gen.SumLoginTrafficParams{
		Site: site, Scope: scope, Present: present, Recent: present.Add(-time.Hour), Day: present.Add(-23 * time.Hour), Since: present.Add(-usualFor),
	})
	if err != nil {
		return traffic{}, fmt.Errorf("sum login traffic: %w", err)
	}
	return traffic{
		hourSent: int(row.HourSent), daySent: int(row.DaySent), dayPassed: int(row.DayPassed), checked: int(row.Checked), wrong: int(row.Wrong),
		beforeSent: int(row.BeforeSent), beforeChecked: int(row.BeforeChecked), beforeWrong: int(row.BeforeWrong), hours: int(row.Hours),
	}, nil
}

// hourOf returns the hour in which something is counted.
func hourOf(t time.Time) time.Time { return t.UTC().Truncate(time.Hour) }

// erasePhone deletes all rows of a phone at a site.
func erasePhone(ctx context.Context, q *gen.Queries, site, phone string, phoneHash hash) error {
	err := errors.Join(
		q.DeleteLoginChallengesOfPhone(ctx, gen.DeleteLoginChallengesOfPhoneParams{Site: site, Phone: phone}),
		q.DeleteLoginBudgetsOfPhone(ctx, gen.DeleteLoginBudgetsOfPhoneParams{Site: site, PhoneHash: phoneHash[:]}),
		q.DeleteLoginDevicesOfPhone(ctx, gen.DeleteLoginDevicesOfPhoneParams{Site: site, PhoneHash: phoneHash[:]}),
	)
	if err != nil {
		return fmt.Errorf("erase sign-ins of a phone: %w", err)
	}
	return nil
}

// sweepTimes says before when each kind of row is over its term.
type sweepTimes struct{ challenges, budgets, devices, traffic time.Time }

// sweepRows deletes the rows of each kind that are older than its instant.
func sweepRows(ctx context.Context, d *db.DB, before sweepTimes) error {
	err := errors.Join(d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteOldLoginChallenges(ctx, before.challenges)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteOldLoginDevices(ctx, before.devices)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteOldLoginBudgets(ctx, before.budgets)
	}), d.InBatches(ctx, func(tx *db.Tx) (int64, error) {
		return tx.Q.DeleteOldLoginTraffic(ctx, before.traffic)
	}))
	if err != nil {
		return fmt.Errorf("sweep sign-ins: %w", err)
	}
	return nil
}
