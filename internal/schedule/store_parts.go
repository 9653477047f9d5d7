package schedule

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/fault"
)

// Part is what an order reserves of one interval.
type Part struct {
	Start   time.Time
	Minutes Minutes
}

// reserveParts reserves the minutes in the first of the intervals that has room for them, and
// returns what it reserved, the part of that interval first. It returns schedule.full (Conflict)
// when none has room.
func (h Request) reserveParts(ctx context.Context, tx *db.Tx, minutes Minutes) ([]Part, error) {
	if minutes.Exceeds(h.Ceilings) {
		return h.reserveSpread(ctx, tx, minutes)
	}
	for _, start := range h.Starts {
		part := Part{start, minutes}
		if taken, err := h.reservePart(ctx, tx, part); err != nil || taken {
			return []Part{part}, err
		}
	}
	return nil, fault.New(fault.Conflict, "schedule.full")
}

// LockForLarge makes transactions that touch several intervals of a shop for one order wait for
// each other, until they end. It must be called before such a transaction touches an interval: what
// it reserves depends on what is free, so it cannot follow an order that avoids deadlocks. On
// SQLite there is one writer at a time anyway.
func LockForLarge(ctx context.Context, tx *db.Tx, shopID int64) error {
	return tx.Lock(ctx, db.LockedIntervals, strconv.FormatInt(shopID, 10))
}

// reserveSpread reserves the minutes of a large order. When another order reserves what it has read
// as free, it repeats. No slot refuses twice: one that refused is locked.
func (h Request) reserveSpread(ctx context.Context, tx *db.Tx, minutes Minutes) ([]Part, error) {
	if err := LockForLarge(ctx, tx, h.ShopID); err != nil {
		return nil, err
	}
	from, to := h.Starts[0], h.Starts[len(h.Starts)-1]
	if len(h.Earlier) > 0 && h.Earlier[0].Before(from) {
		from = h.Earlier[0]
	}
	for range 1 + (len(h.Earlier)+len(h.Starts))*len(minutes) {
		used, err := Used(ctx, tx.Q, h.ShopID, h.OrderType, from, to.Add(time.Millisecond))
		if err != nil {
			return nil, err
		}
		parts, ok := h.spreadOver(used, minutes)
		if !ok {
			break
		}
		if taken, err := h.reserveAll(ctx, tx, parts); err != nil || taken {
			return parts, err
		}
	}
	return nil, fault.New(fault.Conflict, "schedule.full")
}

// spreadOver returns what is reserved of the first acceptable interval that takes the order, and of
// those before it. It reports false when none takes the order.
func (h Request) spreadOver(used map[string]Minutes, minutes Minutes) ([]Part, bool) {
	for _, start := range h.Starts {
		before, _ := slices.BinarySearchFunc(h.Earlier, start, time.Time.Compare)
		starts := append([]time.Time{start}, h.Earlier[:before]...)
		slices.Reverse(starts[1:])
		usedAt := make([]Minutes, len(starts))
		for n, at := range starts {
			usedAt[n] = used[IDOf(at)]
		}
		laid, ok := spreadWork(usedAt, minutes, h.Ceilings)
		if !ok {
			continue
		}
		parts := []Part{{start, laid[0]}}
		for n := 1; n < len(starts); n++ {
			if len(laid[n]) > 0 {
				parts = append(parts, Part{starts[n], laid[n]})
			}
		}
		return parts, true
	}
	return nil, false
}

// reserveAll reserves all parts, or none when one has no room any more.
func (h Request) reserveAll(ctx context.Context, tx *db.Tx, parts []Part) (bool, error) {
	inOrder := sortParts(parts)
	for n, part := range inOrder {
		taken, err := h.reservePart(ctx, tx, part)
		if err != nil {
			return false, err
		}
		if !taken {
			return false, releaseMinutes(ctx, tx, Reservation{ShopID: h.ShopID, OrderType: h.OrderType, Parts: inOrder[:n]})
		}
	}
	return true, nil
}

// reservePart reserves all minutes of the slot, or none when one group has no room.
func (h Request) reservePart(ctx context.Context, tx *db.Tx, part Part) (bool, error) {
	taken := Minutes{}
	for _, group := range slices.Sorted(maps.Keys(part.Minutes)) {
		rows, err := tx.Q.TakeSlot(ctx, gen.TakeSlotParams{
			ShopID: h.ShopID, OrderType: string(h.OrderType), StartsAt: part.Start, ProductGroupID: group,
			Minutes: int64(part.Minutes[group]), Ceiling: int64(h.Ceilings[group]),
		})
		if err != nil {
			return false, fmt.Errorf("reserve interval: %w", err)
		}
		if rows == 0 {
			return false, releaseMinutes(ctx, tx, Reservation{ShopID: h.ShopID, OrderType: h.OrderType, Parts: []Part{{part.Start, taken}}})
		}
		taken[group] = part.Minutes[group]
	}
	return true, nil
}

// encodeParts returns parts as a row stores them: the minutes of its own interval, and those of the
// intervals before by their ids.
func encodeParts(parts []Part) (own, earlier string, err error) {
	before := map[string]Minutes{}
	for _, part := range parts[1:] {
		before[IDOf(part.Start)] = part.Minutes
	}
	ownJSON, err := json.Marshal(parts[0].Minutes)
	if err != nil {
		return "", "", fmt.Errorf("write hold: %w", err)
	}
	earlierJSON, err := json.Marshal(before)
	if err != nil {
		return "", "", fmt.Errorf("write hold: %w", err)
	}
	return string(ownJSON), string(earlierJSON), nil
}

// ParseParts reads the parts of a row of slot_hold, that of its own interval first.
func ParseParts(start time.Time, own, earlier string) ([]Part, error) {
	parts := []Part{{Start: clock.Cut(start)}}
	if err := json.Unmarshal([]byte(own), &parts[0].Minutes); err != nil {
		return nil, fmt.Errorf("read hold: %w", err)
	}
	var before map[string]Minutes
	if err := json.Unmarshal([]byte(earlier), &before); err != nil {
		return nil, fmt.Errorf("read hold: %w", err)
	}
	for id, minutes := range before {
		at, err := time.Parse(time.RFC3339, id)
		if err != nil {
			return nil, fmt.Errorf("read hold: %w", err)
		}
		parts = append(parts, Part{clock.Cut(at), minutes})
	}
	return parts, nil
}

// sortParts returns the parts in the order of time.
func sortParts(parts []Part) []Part {
	return slices.SortedFunc(slices.Values(parts), func(a, b Part) int { return a.Start.Compare(b.Start) })
}
