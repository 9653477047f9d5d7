package orders_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/site"
)

// The dishes of an order leave the menu, and its revision is deleted. The order is unchanged and
// its pictures are served; the picture of a dish that nobody ordered is gone.
func TestOrder_keepsItsNamesPricesAndPicturesWhenItsRevisionIsGone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Import(t, newPicturedContent(t))
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.AddGift(t, v, h.Takeaway(t, v, carttest.Arbat, schedule.ASAP), 1))
		unsold, _ := v.Snapshot.Menu(v.Site, v.Site.Cities[0], site.Takeaway, carttest.Arbat, v.Now).Product(carttest.Salmon)

		// The dishes leave the menu, and their revision leaves the database.
		const menuFile = "sushi/menu/01-rolls.yaml"
		for n := range 21 {
			h.Import(t, map[string]string{menuFile: fmt.Sprintf(`group: {id: 11, alias: rolls, name: Роллы}
products: [{id: 1099, alias: other-roll, name: Другой, price: %d, picture: none}]
`, 100+n)})
		}
		if err := content.Prune(t.Context(), d, h.History.RetainPictures); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Read().GetRevision(t.Context(), o.Revision); err == nil {
			t.Fatal("the revision of the order is still there")
		}

		got, err := h.Orders.Get(t.Context(), h.Again(t, v, "sushi"), o.ID)
		if err != nil || toJSON(t, got) != toJSON(t, o) {
			t.Errorf("the order is %s, %v; want %s", toJSON(t, got), err, toJSON(t, o))
		}
		pictures := []*catalog.Picture{got.Details.Gifts[0].Picture, got.Lines[0].Picture}
		for _, p := range pictures {
			for _, address := range []string{p.Src, p.Variants[0].Address} {
				if _, err := h.Catalog.Media(t.Context(), strings.TrimPrefix(address, catalog.MediaPath)); err != nil {
					t.Errorf("%s: %v", address, err)
				}
			}
		}
		_, err = h.Catalog.Media(t.Context(), strings.TrimPrefix(unsold.Picture.Src, catalog.MediaPath))
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("the picture of what was not sold: %v", err)
		}
	})
}

// newPicturedContent returns the content of the tests with pictures of two rolls and of a gift.
func newPicturedContent(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{
		"sushi/gifts.yaml": "- {id: 1, alias: gift-soy, product: soy, picture: gift, conditions: [{subtotal: 100}]}\n",
	}
	maps.Copy(files, carttest.Texts)
	const rolls = "sushi/menu/01-rolls.yaml"
	for _, name := range []string{"salmon-roll", "rice-roll"} {
		files[rolls] = strings.Replace(files[rolls], "picture: none", "picture: "+name, 1)
	}
	for i, name := range []string{"salmon-roll", "rice-roll", "gift"} {
		var body bytes.Buffer
		if err := jpeg.Encode(&body, image.NewGray(image.Rect(0, 0, 32+i, 32)), nil); err != nil {
			t.Fatal(err)
		}
		files["sushi/pictures/"+name+".jpg"] = body.String()
		files["sushi/pictures/"+name+".16.webp"] = "prepared " + name
	}
	return files
}
