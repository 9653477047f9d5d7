package history

import (
	"context"

	"servery/internal/catalog"
)

// ordersAtOnce is how many orders are read at a time when all of them are looked through.
const ordersAtOnce = 200

// RetainPictures removes from the set of unused hashes those of pictures that an order shows: an
// order keeps the pictures of what was sold. It reads all orders, some at a time, until the set is
// empty.
func (s *Service) RetainPictures(ctx context.Context, unused map[string]bool) error {
	retain := func(hash string) { delete(unused, hash) }
	for after := int64(0); len(unused) > 0; {
		texts, last, err := listOrderTexts(ctx, s.db.Read(), after, ordersAtOnce)
		if err != nil || len(texts) == 0 {
			return err
		}
		for _, text := range texts {
			catalog.EachPicture(text, retain)
		}
		after = last
	}
	return nil
}
