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

// reserveParts reserves the minutes in the first of the acceptable intervals that has room for
// them. It returns the parts that it has reserved, the interval itself first; a large order has
// parts of intervals before it too. It returns schedule.full (Conflict) when none has room.
func (request Request) reserveParts(ctx context.Context, tx *db.Tx, minutes Minutes) ([]Part, error) {
	if minutes.Exceeds(request.Ceilings) {
		return request.reserveSpread(ctx, tx, minutes)
	}
	for _, start := range request.Starts {
		part := Part{start, minutes}
		if isReserved, err := request.reservePart(ctx, tx, part); err != nil || isReserved {
			return []Part{part}, err
		}
	}
	return nil, fault.New(fault.Conflict, "schedule.full")
}

// LockForLarge makes transactions that touch several intervals of a shop for one order wait for
// each other, until they end. It must be called before such a transaction touches an interval.
// Which intervals it touches depends on what is free, so it cannot touch them in a fixed order
// that avoids deadlocks.
func LockForLarge(ctx context.Context, tx *db.Tx, shopID int64) error {
	return tx.Lock(ctx, db.LockedIntervals, strconv.FormatInt(shopID, 10))
}

// reserveSpread reserves the minutes of a large order, spread over several intervals, and returns
// the parts. When another order has taken room between reading and reserving, it reads again and
// reserves again. It returns schedule.full (Conflict) when too little is free. It takes the lock of
// [LockForLarge].
//
// A reservation that fails leaves the row without room locked, so that no later one fails at that
// row. So it reserves at most once for each row, of which there is one for each interval and group,
// and once more.
func (request Request) reserveSpread(ctx context.Context, tx *db.Tx, minutes Minutes) ([]Part, error) {
	if err := LockForLarge(ctx, tx, request.ShopID); err != nil {
		return nil, err
	}
	from, to := request.Starts[0], request.Starts[len(request.Starts)-1]
	if len(request.Earlier) > 0 && request.Earlier[0].Before(from) {
		from = request.Earlier[0]
	}
	for range 1 + (len(request.Earlier)+len(request.Starts))*len(minutes) {
		used, err := Used(ctx, tx.Q, request.ShopID, request.OrderType, from, to.Add(time.Millisecond)) // the last one too
		if err != nil {
			return nil, err
		}
		parts, ok := request.spreadOver(used, minutes)
		if !ok {
			break
		}
		if isReserved, err := request.reserveAll(ctx, tx, parts); err != nil || isReserved {
			return parts, err
		}
	}
	return nil, fault.New(fault.Conflict, "schedule.full")
}

// spreadOver returns the parts to reserve for a large order, its own interval first. Its own
// interval is the first acceptable one whose free minutes suffice together with those of the
// intervals before it. It reports false when there is none. used are the taken minutes by interval
// id.
func (request Request) spreadOver(used map[string]Minutes, minutes Minutes) ([]Part, bool) {
	for _, start := range request.Starts {
		index, _ := slices.BinarySearchFunc(request.Earlier, start, time.Time.Compare)
		starts := append([]time.Time{start}, request.Earlier[:index]...)
		slices.Reverse(starts[1:]) // its own first, then the latest before it
		usedAt := make([]Minutes, len(starts))
		for n, slotStart := range starts {
			usedAt[n] = used[IDOf(slotStart)]
		}
		placed, ok := spreadWork(usedAt, minutes, request.Ceilings)
		if !ok {
			continue
		}
		parts := []Part{{start, placed[0]}}
		for n := 1; n < len(starts); n++ {
			if len(placed[n]) > 0 {
				parts = append(parts, Part{starts[n], placed[n]})
			}
		}
		return parts, true
	}
	return nil, false
}

// reserveAll reserves all parts and reports true, or reserves none and reports false when one has
// no room any more.
func (request Request) reserveAll(ctx context.Context, tx *db.Tx, parts []Part) (bool, error) {
	inOrder := sortParts(parts)
	for n, part := range inOrder {
		isReserved, err := request.reservePart(ctx, tx, part)
		if err != nil {
			return false, err
		}
		if !isReserved {
			return false, releaseMinutes(ctx, tx, Reservation{ShopID: request.ShopID, OrderType: request.OrderType, Parts: inOrder[:n]})
		}
	}
	return true, nil
}

// reservePart reserves all minutes of the part and reports true, or reserves none and reports false
// when one group has no room.
func (request Request) reservePart(ctx context.Context, tx *db.Tx, part Part) (bool, error) {
	reserved := Minutes{}
	for _, group := range slices.Sorted(maps.Keys(part.Minutes)) {
		rows, err := tx.Q.TakeSlot(ctx, gen.TakeSlotParams{
			ShopID: request.ShopID, OrderType: string(request.OrderType), StartsAt: part.Start, ProductGroupID: group,
			Minutes: int64(part.Minutes[group]), Ceiling: int64(request.Ceilings[group]),
		})
		if err != nil {
			return false, fmt.Errorf("reserve interval: %w", err)
		}
		if rows == 0 {
			return false, releaseMinutes(ctx, tx, Reservation{ShopID: request.ShopID, OrderType: request.OrderType, Parts: []Part{{part.Start, reserved}}})
		}
		reserved[group] = part.Minutes[group]
	}
	return true, nil
}

// encodeParts returns the parts in the two JSON texts that the database stores: own are the
// minutes of the first part, the order's own interval, and earlier those of the other parts by
// interval id.
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

// ParseParts returns the parts of a stored reservation, that of its own interval first, the others
// in no order. start, own and earlier are the columns of its row: the start of its own interval, the
// minutes there, and the minutes of the other intervals by id, both in JSON.
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
