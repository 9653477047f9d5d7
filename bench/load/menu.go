package main

import (
	"context"
	"errors"
	"fmt"
)

// menu is the choice that the load orders from: dishes without modifiers, in shops of one city, at times of
// tomorrow.
type menu struct {
	city int64
	zone int64 // where to deliver
	// point is the latitude and longitude of an address in the zone.
	point [2]float64
	// day is tomorrow, and deliveries are its free intervals in the zone.
	day        string
	deliveries []string
	shops      []shop
	products   []string // keys
}

type shop struct {
	id        int64
	intervals []string
}

// cityAlias is the city whose menu and page are measured.
const cityAlias = "moscow"

type place map[string]any

// place returns the place of a takeaway at a shop, with more fields as pairs of name and value.
func (m menu) place(shop int64, more ...any) place {
	p := place{"city_id": m.city, "order_type": "takeaway", "shop_id": shop}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

// readMenu returns products, shops and intervals of one city. It returns an error when the city has no delivery
// zone, no shop with a free interval or too few simple products.
func readMenu(ctx context.Context, addr string) (menu, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return menu{}, err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	var city struct {
		City struct {
			ID    int64
			Zones []struct {
				ID  int64
				Map struct{ Area [][2]float64 }
			} `json:"delivery_zones"`
		}
	}
	if err := c.callAPI("GET", "/api/cities/"+cityAlias, nil, &city); err != nil {
		return menu{}, err
	}
	if len(city.City.Zones) == 0 {
		return menu{}, errors.New("the city has no zone to deliver to")
	}
	zone := city.City.Zones[0]
	m := menu{city: city.City.ID, zone: zone.ID, point: middleOf(zone.Map.Area)}
	var shops struct {
		Shops []struct {
			ID   int64
			Type string
		}
	}
	if err := c.callAPI("GET", fmt.Sprintf("/api/shops?city_id=%d", m.city), nil, &shops); err != nil {
		return m, err
	}
	for _, s := range shops.Shops {
		intervals, err := m.intervals(c, m.place(s.ID))
		if err != nil {
			return m, err
		}
		if s.Type == "default" && len(intervals) > 0 {
			m.shops = append(m.shops, shop{s.ID, intervals})
		}
	}
	if len(m.shops) == 0 {
		return m, errors.New("no shop can be ordered from")
	}
	if m.deliveries, err = m.intervals(c, place{"city_id": m.city, "order_type": "delivery", "delivery_zone_id": m.zone}); err != nil {
		return m, err
	}
	m.products, err = m.simpleProducts(c)
	return m, err
}

// middleOf returns the average of the corners of an area.
func middleOf(area [][2]float64) (middle [2]float64) {
	for _, corner := range area {
		middle[0] += corner[0] / float64(len(area))
		middle[1] += corner[1] / float64(len(area))
	}
	return middle
}

// intervals returns the ids of tomorrow's free intervals at a place, and stores which day tomorrow is; none when the
// place offers fewer than two days.
func (m *menu) intervals(c *connection, at place) ([]string, error) {
	var days struct {
		Dates []struct {
			Date string `json:"date_string"`
		}
	}
	if err := c.callAPI("POST", "/api/schedule/intervals", at, &days); err != nil || len(days.Dates) < 2 {
		return nil, err
	}
	var day struct {
		Intervals []struct {
			ID       string
			Disabled bool
		}
	}
	m.day = days.Dates[1].Date
	at["date"] = m.day
	err := c.callAPI("POST", "/api/schedule/intervals", at, &day)
	var free []string
	for _, i := range day.Intervals {
		if !i.Disabled {
			free = append(free, i.ID)
		}
	}
	return free, err
}

// wantedProducts is how many different dishes the load orders.
const wantedProducts = 5

// simpleProducts returns the keys of wantedProducts products that have no modifiers and are sold by the piece. It
// returns an error when the menu has fewer.
func (m menu) simpleProducts(c *connection) ([]string, error) {
	var menu struct {
		Groups []struct {
			Products []struct {
				Key, Type string
				Step      int `json:"sale_multiplicity"`
				Modifiers struct {
					Groups []struct{ Min int }
				}
			}
		} `json:"product_groups"`
	}
	if err := c.callAPI("POST", "/api/products", m.place(m.shops[0].id), &menu); err != nil {
		return nil, err
	}
	var keys []string
	for _, g := range menu.Groups {
		for _, p := range g.Products {
			if p.Type == "default" && p.Step <= 1 && len(p.Modifiers.Groups) == 0 && len(keys) < wantedProducts {
				keys = append(keys, p.Key)
			}
		}
	}
	if len(keys) < wantedProducts {
		return nil, fmt.Errorf("the menu has %d simple products, the load wants %d", len(keys), wantedProducts)
	}
	return keys, nil
}
