package history

import (
	"context"

	"servery/internal/catalog"
	"servery/internal/order/archive"
)

// ordersAtOnce is how many orders are read at a time when all of them are looked through.
const ordersAtOnce = 200

// RetainPictures deletes from the set unused the hashes of pictures that any order shows. It
// reads all orders, and those of the archive, 200 at a time, and ends early when the set is empty.
func (s *Service) RetainPictures(ctx context.Context, unused map[string]bool) error {
	retain := func(hash string) { delete(unused, hash) }
	for after := int64(0); len(unused) > 0; {
		texts, last, err := listOrderTexts(ctx, s.db.Read(), after, ordersAtOnce)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			break
		}
		for _, text := range texts {
			catalog.EachPicture(text, retain)
		}
		after = last
	}
	return s.retainArchived(ctx, unused)
}

// retainArchived deletes from the set unused the hashes of pictures that an archived order shows.
func (s *Service) retainArchived(ctx context.Context, unused map[string]bool) error {
	for after := int64(0); len(unused) > 0; {
		hashes, last, err := archive.ListPictures(ctx, s.db.Read(), after, ordersAtOnce)
		if err != nil || last == 0 {
			return err
		}
		for _, hash := range hashes {
			delete(unused, hash)
		}
		after = last
	}
	return nil
}
