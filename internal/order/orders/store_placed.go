package orders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
)

// insertPlaced inserts a new order with its lines and its first change, and returns the number of the change, which
// it stores with the order too. It returns errNumberTaken when another order has the number of the order.
func insertPlaced(ctx context.Context, tx *db.Tx, row gen.InsertOrderParams, lines []order.Line, placed order.Change) (number int64, err error) {
	parts, err := lineParams(row.ID, lines)
	if err != nil {
		return 0, err
	}
	if tx.Engine == db.Postgres {
		return insertPlacedAtOnce(ctx, tx, row, parts, changeParams(placed, row.ID))
	}
	inserted, err := tx.Q.InsertOrder(ctx, row)
	if err != nil {
		return 0, fmt.Errorf("write order: %w", err)
	}
	if inserted == 0 {
		return 0, errNumberTaken
	}
	for _, part := range parts {
		if err := tx.Q.InsertOrderLine(ctx, part); err != nil {
			return 0, fmt.Errorf("write line: %w", err)
		}
	}
	if number, err = insertChange(ctx, tx, row.ID, placed); err != nil {
		return 0, err
	}
	if err := tx.Q.SetOrderChange(ctx, gen.SetOrderChangeParams{ChangeID: number, ID: row.ID}); err != nil {
		return 0, fmt.Errorf("write order: %w", err)
	}
	return number, nil
}

// lineParams returns what is stored of the lines of the order with the id.
func lineParams(id int64, lines []order.Line) ([]gen.InsertOrderLineParams, error) {
	rows := make([]gen.InsertOrderLineParams, len(lines))
	for i, line := range lines {
		body, err := json.Marshal(line)
		if err != nil {
			return nil, fmt.Errorf("write line: %w", err)
		}
		rows[i] = gen.InsertOrderLineParams{
			OrderID: id, Position: int64(i), ProductID: line.ProductID, Count: int64(line.Count), Total: int64(line.Total), Body: body,
		}
	}
	return rows, nil
}

// insertPlacedAtOnce does what insertPlaced does in one round trip to PostgreSQL, so that an order of many lines takes
// no longer than one of few.
func insertPlacedAtOnce(ctx context.Context, tx *db.Tx, row gen.InsertOrderParams, lines []gen.InsertOrderLineParams, p gen.InsertOrderStatusParams) (number int64, err error) {
	if _, err := tx.Later().InsertOrder(ctx, row); err != nil { // whether it was inserted shows in what follows
		return 0, fmt.Errorf("write order: %w", err)
	}
	var positions, products, counts, totals []int64
	var bodies [][]byte
	for _, line := range lines {
		positions, products = append(positions, line.Position), append(products, line.ProductID)
		counts, totals, bodies = append(counts, line.Count), append(totals, line.Total), append(bodies, line.Body)
	}
	arguments := append(changeArguments(p), positions, products, counts, totals, bodies, row.CacheKey)
	err = tx.SQL.QueryRowContext(ctx, postgresPlaced, arguments...).Scan(&number)
	if errors.Is(err, db.ErrNotFound) {
		return 0, errNumberTaken
	}
	if err != nil {
		return 0, fmt.Errorf("write order, lines and state: %w", err)
	}
	return number, nil
}

// postgresPlaced does what InsertOrderLine does for each line, then what postgresChange and SetOrderChange do, for an
// order that was just inserted. It returns nothing and writes nothing where the order with the number is another one,
// or archived.
const postgresPlaced = `
WITH placed AS (SELECT id FROM orders WHERE id = $3 AND cache_key = $21 AND change_id = 0),
line AS (
    INSERT INTO order_line (order_id, position, product_id, count, total, body)
    SELECT placed.id, l.position, l.product_id, l.count, l.total, l.body
    FROM placed, unnest(CAST($16 AS bigint[]), CAST($17 AS bigint[]), CAST($18 AS bigint[]), CAST($19 AS bigint[]), CAST($20 AS bytea[]))
        AS l (position, product_id, count, total, body)),
change AS (` + announcedChange + `, placed RETURNING id)
UPDATE orders SET change_id = change.id FROM change WHERE orders.id = $3
RETURNING orders.change_id`
