package geo

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/fault"
	"servery/internal/site"
)

// Addresses stores the addresses that visitors have used, the last thirty of each. It is safe for
// concurrent use.
type Addresses struct {
	db    *db.DB
	clock clock.Clock
}

// keptAddresses is how many addresses of an owner are kept: those that the query does not delete.
const keptAddresses = 30

// NewAddresses returns the addresses in the database.
func NewAddresses(d *db.DB, c clock.Clock) *Addresses { return &Addresses{db: d, clock: c} }

// Owner says whose addresses are meant: those of one session at one site, and those of the customer
// that the session belongs to, on whatever device they were saved.
type Owner struct {
	SessionID int64
	// CustomerID is 0 for a guest.
	CustomerID int64
	Site       string // its alias
}

// Save stores the address as the one used last, and returns it with its id. It replaces an address
// of the owner with the same place and room, whose details it keeps where form does not ask for them, and
// deletes the owner's addresses beyond the thirty used last. Faults, all Invalid: those of
// [Address.CheckDetails], geo.bad_point for coordinates that do not exist.
func (s *Addresses) Save(ctx context.Context, owner Owner, a Address, form site.AddressForm) (Address, error) {
	saved, err := s.SaveAndList(ctx, owner, a, form)
	if err != nil {
		return Address{}, err
	}
	return saved[0], nil
}

// SaveAndList does what [Addresses.Save] does, and returns all addresses of the owner as [Addresses.List]
// does, with the saved one first.
func (s *Addresses) SaveAndList(ctx context.Context, owner Owner, a Address, form site.AddressForm) (saved []Address, err error) {
	if faults := a.CheckDetails(); len(faults) > 0 {
		return nil, fault.New(fault.Invalid, "common.invalid", faults...)
	}
	if !a.Point.Valid() {
		return nil, fault.New(fault.Invalid, "geo.bad_point", fault.Field("coordinates", "geo.bad_point"))
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		others, count, err := listAddresses(ctx, tx.Q, owner)
		if err != nil {
			return err
		}
		a := a // as it is given, should the transaction be run again
		if i := slices.IndexFunc(others, a.isSamePlace); i >= 0 {
			a = a.withHidden(form, others[i])
			others = slices.Delete(others, i, i+1)
		}
		id, err := tx.Q.SaveAddress(ctx, gen.SaveAddressParams{
			SessionID: owner.sessionID(), CustomerID: owner.customerID(), Site: owner.Site, CityID: a.CityID, PrecisionKind: string(a.Precision),
			Address: a.Address, FullAddress: a.FullAddress, Locality: a.Locality, District: a.District,
			Street: a.Street, House: a.House, Room: a.Room, PrivateHouse: a.IsPrivateHouse, Building: a.Building,
			RearBuilding: a.RearBuilding, Entrance: a.Entrance, Floor: a.Floor, Intercom: a.Intercom, BellName: a.BellName,
			Landmark: a.Landmark, Description: a.Description, Latitude: a.Point.Latitude, Longitude: a.Point.Longitude,
			DeliveryZoneID: sql.NullInt64{Int64: a.ZoneID, Valid: a.ZoneID != 0}, Now: s.clock.Now(),
		})
		if err != nil {
			return fmt.Errorf("save address: %w", err)
		}
		a.ID = id
		if count >= keptAddresses {
			if others, err = keepLast(ctx, tx.Q, owner, a); err != nil {
				return err
			}
		}
		saved = append([]Address{a}, others...)
		return nil
	})
	return saved, err
}

// keepLast deletes the owner's addresses beyond the thirty used last, and returns those that are left without
// the place of a.
func keepLast(ctx context.Context, q *gen.Queries, owner Owner, a Address) ([]Address, error) {
	err := q.DeleteOldestAddresses(ctx, gen.DeleteOldestAddressesParams{
		SessionID: owner.sessionID(), CustomerID: owner.customerID(), Site: owner.Site,
	})
	if err != nil {
		return nil, fmt.Errorf("delete oldest addresses: %w", err)
	}
	left, _, err := listAddresses(ctx, q, owner)
	return slices.DeleteFunc(left, a.isSamePlace), err
}

// List returns the addresses of the owner, the one used last first. A place that a customer has
// saved on two devices is in the list once.
func (s *Addresses) List(ctx context.Context, owner Owner) ([]Address, error) {
	addresses, _, err := listAddresses(ctx, s.db.Read(), owner)
	return addresses, err
}

// listAddresses returns the owner's addresses, the one used last first, each place once, and how many
// are stored.
func listAddresses(ctx context.Context, q *gen.Queries, owner Owner) (addresses []Address, stored int, err error) {
	rows, err := q.ListAddresses(ctx, gen.ListAddressesParams{
		SessionID: owner.sessionID(), CustomerID: owner.customerID(), Site: owner.Site,
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list addresses: %w", err)
	}
	addresses = make([]Address, 0, len(rows))
	for _, row := range rows {
		a := toAddress(gen.GetAddressRow(row))
		if !slices.ContainsFunc(addresses, a.isSamePlace) {
			addresses = append(addresses, a)
		}
	}
	return addresses, len(rows), nil
}

// Get returns an address of the owner. It returns geo.address_unknown (NotFound) also for an
// address of another owner.
func (s *Addresses) Get(ctx context.Context, owner Owner, id int64) (Address, error) {
	row, err := s.db.Read().GetAddress(ctx, gen.GetAddressParams{
		ID: id, SessionID: owner.sessionID(), CustomerID: owner.customerID(), Site: owner.Site,
	})
	if errors.Is(err, db.ErrNotFound) {
		return Address{}, fault.New(fault.NotFound, "geo.address_unknown")
	}
	if err != nil {
		return Address{}, fmt.Errorf("read address: %w", err)
	}
	return toAddress(row), nil
}

// Remove deletes an address of the owner. It returns geo.address_unknown (NotFound) also for an
// address of another owner.
func (s *Addresses) Remove(ctx context.Context, owner Owner, id int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Q.DeleteAddress(ctx, gen.DeleteAddressParams{
			ID: id, SessionID: owner.sessionID(), CustomerID: owner.customerID(), Site: owner.Site,
		})
		if err != nil {
			return fmt.Errorf("remove address: %w", err)
		}
		if rows == 0 {
			return fault.New(fault.NotFound, "geo.address_unknown")
		}
		return nil
	})
}

// MoveToCustomer moves the addresses of the guest's session guestID, 0 for none, to the owner:
// the customer who signs in, with the new session. It must be called in the transaction of the
// sign-in.
func (s *Addresses) MoveToCustomer(ctx context.Context, tx *db.Tx, owner Owner, guestID int64) error {
	err := tx.Q.GiveAddressesToCustomer(ctx, gen.GiveAddressesToCustomerParams{
		CustomerID: owner.customerID(), SessionID: owner.sessionID(), GuestID: sql.NullInt64{Int64: guestID, Valid: guestID != 0},
	})
	if err != nil {
		return fmt.Errorf("move addresses to the customer: %w", err)
	}
	return nil
}

// Sweep detaches the addresses of customers from sessions that have ended. Otherwise they would be
// deleted together with the session.
func (s *Addresses) Sweep(ctx context.Context) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return tx.Q.PartAddressesFromSessions(ctx, s.clock.Now()) })
	if err != nil {
		return fmt.Errorf("detach addresses from sessions: %w", err)
	}
	return nil
}

// sessionID returns the owner's session as a query parameter, null for 0.
func (o Owner) sessionID() sql.NullInt64 {
	return sql.NullInt64{Int64: o.SessionID, Valid: o.SessionID != 0}
}

// customerID returns the owner's customer as a query parameter, null for 0, a guest.
func (o Owner) customerID() sql.NullInt64 {
	return sql.NullInt64{Int64: o.CustomerID, Valid: o.CustomerID != 0}
}

// isSamePlace reports whether both addresses are the same place and room. It compares what the
// unique key of the table compares.
func (a Address) isSamePlace(b Address) bool {
	return a.CityID == b.CityID && a.FullAddress == b.FullAddress && a.Room == b.Room && a.Point == b.Point
}

// toAddress returns the address that a row of the database has.
func toAddress(row gen.GetAddressRow) Address {
	return Address{
		ID: row.ID, CityID: row.CityID, Precision: Precision(row.PrecisionKind), Address: row.Address,
		FullAddress: row.FullAddress, Locality: row.Locality, District: row.District, Street: row.Street,
		House: row.House, Room: row.Room, IsPrivateHouse: row.PrivateHouse, Building: row.Building, RearBuilding: row.RearBuilding,
		Entrance: row.Entrance, Floor: row.Floor, Intercom: row.Intercom, BellName: row.BellName, Landmark: row.Landmark,
		Description: row.Description, Point: Point{Latitude: row.Latitude, Longitude: row.Longitude},
		ZoneID: row.DeliveryZoneID.Int64,
	}
}

// DeleteOfCustomer deletes the addresses of a customer. It must be called in the transaction that
// erases the customer, which deletes the customer's sessions and with them the rest of the
// addresses.
func (s *Addresses) DeleteOfCustomer(ctx context.Context, tx *db.Tx, customerID int64) error {
	if err := tx.Q.DeleteAddressesOfCustomer(ctx, customerID); err != nil {
		return fmt.Errorf("delete addresses: %w", err)
	}
	return nil
}
