package orders

import (
	"context"
	"encoding/json"
	"fmt"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
)

// insertPlaced inserts the lines of a new order and its first change, and returns the number of the change, which
// it stores with the order too.
func insertPlaced(ctx context.Context, tx *db.Tx, id int64, lines []order.Line, placed order.Change) (number int64, err error) {
	rows, err := lineParams(id, lines)
	if err != nil {
		return 0, err
	}
	if tx.Engine == db.Postgres {
		return insertPlacedAtOnce(ctx, tx, rows, changeParams(placed, id))
	}
	for _, row := range rows {
		if err := tx.Q.InsertOrderLine(ctx, row); err != nil {
			return 0, fmt.Errorf("write line: %w", err)
		}
	}
	if number, err = insertChange(ctx, tx, id, placed); err != nil {
		return 0, err
	}
	if err := tx.Q.SetOrderChange(ctx, gen.SetOrderChangeParams{ChangeID: number, ID: id}); err != nil {
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

// insertPlacedAtOnce does what insertPlaced does in one statement of PostgreSQL, so that an order of many lines takes
// no longer than one of few.
func insertPlacedAtOnce(ctx context.Context, tx *db.Tx, lines []gen.InsertOrderLineParams, p gen.InsertOrderStatusParams) (number int64, err error) {
	var positions, products, counts, totals []int64
	var bodies [][]byte
	for _, line := range lines {
		positions, products = append(positions, line.Position), append(products, line.ProductID)
		counts, totals, bodies = append(counts, line.Count), append(totals, line.Total), append(bodies, line.Body)
	}
	arguments := append(changeArguments(p), positions, products, counts, totals, bodies)
	if err := tx.SQL.QueryRowContext(ctx, postgresPlaced, arguments...).Scan(&number); err != nil {
		return 0, fmt.Errorf("write lines and state: %w", err)
	}
	return number, nil
}

// postgresPlaced does what InsertOrderLine does for each line, then what postgresChange and SetOrderChange do.
const postgresPlaced = `
WITH line AS (
    INSERT INTO order_line (order_id, position, product_id, count, total, body)
    SELECT $3, l.position, l.product_id, l.count, l.total, l.body
    FROM unnest(CAST($16 AS bigint[]), CAST($17 AS bigint[]), CAST($18 AS bigint[]), CAST($19 AS bigint[]), CAST($20 AS bytea[]))
        AS l (position, product_id, count, total, body)),
change AS (` + postgresChange + `)
UPDATE orders SET change_id = change.id FROM change WHERE orders.id = $3
RETURNING orders.change_id`
