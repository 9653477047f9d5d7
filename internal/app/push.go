package app

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"servery/internal/db"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/push"
)

// openPush makes the area that sends the states of orders to browsers.
func (a *App) openPush(ctx context.Context) (err error) {
	a.areas.Push, err = push.New(ctx, push.Options{
		DB: a.db, Queue: a.queue, Clock: a.clock, Log: a.log, Contact: a.pushContact(), Describe: a.describeOrder,
	})
	return err
}

// announce enqueues, in the transaction of a change, the messages about it: to browsers when the change is
// news for the customer, and to phones when the brand sends a message on it.
func (a *App) announce(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error {
	if c.Kind != order.Placed && o.NewsID() == c.ID { // no browser is subscribed to an order before it is placed
		if err := a.areas.Push.Announce(ctx, tx, o.ID, c.ID); err != nil {
			return err
		}
	}
	return a.areas.Messages.Announce(ctx, tx, o, c)
}

// pushContact returns where push services may write to: the public address if it is an https
// address, else the e-mail of the first brand, else a placeholder.
func (a *App) pushContact() string {
	if strings.HasPrefix(a.cfg.PublicURL, "https:") {
		return a.cfg.PublicURL
	}
	email := ""
	if all := a.areas.Catalog.Current().Sites.All(); len(all) > 0 {
		email = all[0].Email
	}
	return cmp.Or(email, "https://localhost")
}

// describeOrder returns the push message about an order in the language l. It returns [db.ErrNotFound] when
// there is no such order, or when its brand or city is not in the content any more.
func (a *App) describeOrder(ctx context.Context, id int64, l lang.Lang) (push.State, error) {
	o, err := orders.Load(ctx, a.db.Read(), id)
	if err != nil {
		return push.State{}, err
	}
	brand, ok := a.areas.Catalog.Current().Sites.ByAlias(o.Site)
	if !ok {
		return push.State{}, db.ErrNotFound
	}
	city, ok := brand.City(o.CityID)
	if !ok {
		return push.State{}, db.ErrNotFound
	}
	var sentences []string
	for _, m := range o.Description(city.Location, a.clock.Now()) {
		sentences = append(sentences, lang.T(l, m.Key, m.Args))
	}
	return push.State{
		ChangeID: o.NewsID(), IsFinal: o.State.IsFinal(),
		Title: brand.Text(brand.Name, l), Body: strings.Join(sentences, " "),
		Path: "/" + city.Alias + "/order/" + strconv.FormatInt(o.ID, 10) + "/tracking",
	}, nil
}
