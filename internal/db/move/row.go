package move

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// contents summarizes the rows of a table for a comparison. The order of the rows does not matter.
type contents struct {
	rows int64
	// digest is the sum of the hashes of the rows.
	digest uint64
	// sums are the totals of the columns that are sums of money or work, by column.
	sums map[string]int64
}

// readRows calls do for each row of the table and returns the contents. The values are those that
// both engines take, instants to the microsecond.
func readRows(ctx context.Context, q querier, t *table, do func(values []any) error) (c contents, err error) {
	c.sums = map[string]int64{}
	rows, err := q.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM "%s"`, t.quotedColumns(), t.name))
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		values, into := make([]any, len(t.columns)), make([]any, len(t.columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return c, err
		}
		for i, col := range t.columns {
			if values[i], err = convert(col.kind, values[i]); err != nil {
				return c, fmt.Errorf("column %s: %w", col.name, err)
			}
		}
		c.add(t, values)
		if err := do(values); err != nil {
			return c, err
		}
	}
	return c, rows.Err()
}

// add adds a row of the table to the contents.
func (c *contents) add(t *table, values []any) {
	c.rows++
	c.digest += hashRow(values)
	for i, col := range t.columns {
		if n, ok := values[i].(int64); ok && summed[t.name] == col.name {
			c.sums[col.name] += n
		}
	}
}

// isSame reports whether the other contents are the same.
func (c *contents) isSame(other contents) bool {
	return c.rows == other.rows && c.digest == other.digest
}

// convert returns a value of a driver as one of int64, float64, string, []byte, bool and
// [time.Time], or nil. It returns an error for a value that a column of the kind cannot have.
func convert(k kind, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case int64:
		switch k { //nolint:exhaustive // no other kind is stored as an integer
		case integer:
			return v, nil
		case boolean:
			return v != 0, nil
		case real:
			return float64(v), nil
		}
	case float64:
		if k == real {
			return v, nil
		}
	case bool:
		if k == boolean {
			return v, nil
		}
	case string:
		switch k { //nolint:exhaustive // no other kind is stored as a text
		case text:
			return v, nil
		case blob:
			return []byte(v), nil
		}
	case []byte:
		switch k { //nolint:exhaustive // no other kind is stored as bytes
		case text:
			return string(v), nil
		case blob:
			return append([]byte{}, v...), nil
		}
	case time.Time:
		if k == instant {
			return v.UTC().Truncate(time.Microsecond), nil
		}
	}
	return nil, fmt.Errorf("%T is not %s", value, k)
}

// hashRow returns the hash of a row. The type and the length of each value are part of it.
func hashRow(values []any) uint64 {
	h := sha256.New()
	var number [9]byte
	write := func(mark byte, n uint64, bytes []byte) {
		number[0] = mark
		binary.LittleEndian.PutUint64(number[1:], n)
		_, _ = h.Write(number[:]) // a hash never fails
		_, _ = h.Write(bytes)
	}
	for _, value := range values {
		switch v := value.(type) {
		case nil:
			write(0, 0, nil)
		case int64:
			write(1, uint64(v), nil)
		case float64:
			write(2, math.Float64bits(v), nil)
		case bool:
			write(3, map[bool]uint64{true: 1}[v], nil)
		case string:
			write(4, uint64(len(v)), []byte(v))
		case []byte:
			write(5, uint64(len(v)), v)
		case time.Time:
			write(6, uint64(v.UnixMicro()), nil)
		}
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}
