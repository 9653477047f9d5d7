package geo

import (
	"log/slog"
	"strconv"
)

// Address is where an order is to be delivered. It prints as its id only, so that no home
// gets into a log.
type Address struct {
	// ID is 0 until the address is saved.
	ID        int64     `json:"id,omitempty"`
	CityID    int64     `json:"city_id"`
	Precision Precision `json:"precision"`
	// Address is street and house, FullAddress has the city too.
	Address     string `json:"address"`
	FullAddress string `json:"full_address"`
	Locality    string `json:"locality,omitempty"`
	District    string `json:"district,omitempty"`
	Street      string `json:"street,omitempty"`
	House       string `json:"house,omitempty"`
	// The details, by which the courier finds the door. Which of them are asked for is a matter of the
	// country, see [site.AddressForm].
	Room           string `json:"room,omitempty"`
	IsPrivateHouse bool   `json:"private_house,omitempty"`
	Building       string `json:"building,omitempty"`
	RearBuilding   string `json:"rear_building,omitempty"`
	Entrance       string `json:"entrance,omitempty"`
	Floor          string `json:"floor,omitempty"`
	Intercom       string `json:"intercom,omitempty"`
	BellName       string `json:"bell_name,omitempty"`
	Landmark       string `json:"landmark,omitempty"`
	// Description is the comment for the courier.
	Description string `json:"description,omitempty"`
	Point       Point  `json:"point"`
	// ZoneID is the zone found when the address was saved, 0 when none delivers there. Zones
	// change: an order must look the zone up in the atlas again.
	ZoneID int64 `json:"zone_id,omitempty"`
}

// AddressIn returns the answer as an address in the city. Its id, zone, room and other details
// are empty.
func (a Answer) AddressIn(cityID int64) Address {
	return Address{
		CityID: cityID, Precision: a.Precision, Address: a.Address, FullAddress: a.FullAddress, Locality: a.Locality,
		District: a.District, Street: a.Street, House: a.House, Point: a.Point,
	}
}

// String returns "address" and the id, so that nothing of the address gets into a log.
func (a Address) String() string { return "address " + strconv.FormatInt(a.ID, 10) }

// GoString returns "address" and the id, so that %#v prints nothing of the address.
func (a Address) GoString() string { return a.String() }

// LogValue returns "address" and the id, so that package slog logs nothing of the address.
func (a Address) LogValue() slog.Value { return slog.StringValue(a.String()) }
