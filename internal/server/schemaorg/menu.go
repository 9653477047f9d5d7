package schemaorg

import (
	"servery/internal/catalog"
	"servery/internal/money"
)

// menu is what a city is sold.
type menu struct {
	Type      string        `json:"@type"`
	ID        string        `json:"@id"`
	URL       string        `json:"url"`
	Name      string        `json:"name"`
	Language  string        `json:"inLanguage"`
	Publisher reference     `json:"publisher"`
	Sections  []menuSection `json:"hasMenuSection"`
}

type menuSection struct {
	Type  string     `json:"@type"`
	Name  string     `json:"name"`
	Items []menuItem `json:"hasMenuItem"`
}

// menuItem is a product.
type menuItem struct {
	Type        string     `json:"@type"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Image       string     `json:"image,omitempty"`
	Offer       offer      `json:"offers"`
	Nutrition   *nutrition `json:"nutrition,omitempty"`
	Diets       []string   `json:"suitableForDiet,omitempty"`
}

type offer struct {
	Type         string       `json:"@type"`
	Price        money.Amount `json:"price"`
	Currency     string       `json:"priceCurrency"`
	Availability string       `json:"availability,omitempty"`
}

// nutrition is what a helping of 100 g contains, as the page shows it.
type nutrition struct {
	Type          string `json:"@type"`
	Serving       string `json:"servingSize"`
	Calories      string `json:"calories"`
	Proteins      string `json:"proteinContent"`
	Fats          string `json:"fatContent"`
	Carbohydrates string `json:"carbohydrateContent"`
}

// vegan is the accent of products without anything of animals.
const vegan = "vegan"

// menu converts the menu of the city, in the order of its groups.
func (p Page) menu() menu {
	path := "/" + p.City.Alias
	m := menu{
		Type: "Menu", ID: p.Base + path + "#menu", URL: p.Address(path), Name: p.Title,
		Language: string(p.Texts.Lang), Publisher: reference{p.organizationID()},
	}
	for _, group := range p.Menu.Groups {
		section := menuSection{Type: "MenuSection", Name: p.Texts.Text(group.Name)}
		for _, product := range group.Products {
			section.Items = append(section.Items, p.menuItem(product))
		}
		m.Sections = append(m.Sections, section)
	}
	return m
}

// menuItem converts a product. A product without a description is described by its composition.
func (p Page) menuItem(product *catalog.Product) menuItem {
	item := menuItem{
		Type: "MenuItem", Name: p.Texts.Text(product.Name), Description: p.Texts.Text(product.Description),
		Offer: offer{Type: "Offer", Price: product.Price, Currency: p.City.Currency.Code},
	}
	if item.Description == "" {
		item.Description = product.CompositionText(p.Texts.Lang, p.Texts.Site.DefaultLanguage)
	}
	if product.Picture != nil {
		item.Image = p.absolute(product.Picture.Src)
	}
	if product.Type == catalog.Stopped || p.City.Stopped {
		item.Offer.Availability = "https://schema.org/OutOfStock"
	}
	if n := product.Nutrition; n != nil {
		item.Nutrition = &nutrition{
			Type: "NutritionInformation", Serving: "100 g", Calories: formatNumber(n.Kilocalories) + " kcal",
			Proteins: formatNumber(n.Proteins) + " g", Fats: formatNumber(n.Fats) + " g", Carbohydrates: formatNumber(n.Carbohydrates) + " g",
		}
	}
	if product.Accent == vegan {
		item.Diets = []string{"https://schema.org/VeganDiet", "https://schema.org/VegetarianDiet"}
	}
	return item
}
