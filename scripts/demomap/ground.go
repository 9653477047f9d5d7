package main

// The ground of the made city: where Berlin has its river, canals, parks and districts, roughly.
var (
	land = []point{{52.30, 13.00}, {52.72, 13.00}, {52.72, 13.85}, {52.30, 13.85}}

	river = []point{
		{52.4480, 13.5600},
		{52.4600, 13.5150},
		{52.4760, 13.4960},
		{52.4880, 13.4760},
		{52.4960, 13.4600},
		{52.5005, 13.4500},
		{52.5050, 13.4400},
		{52.5100, 13.4290},
		{52.5130, 13.4180},
		{52.5155, 13.4060},
		{52.5195, 13.3990},
		{52.5220, 13.3905},
		{52.5205, 13.3800},
		{52.5215, 13.3720},
		{52.5190, 13.3640},
		{52.5225, 13.3540},
		{52.5200, 13.3440},
		{52.5175, 13.3330},
		{52.5240, 13.3200},
		{52.5235, 13.3020},
		{52.5290, 13.2850},
		{52.5300, 13.2500},
		{52.5350, 13.2200},
	}
	canal = []point{
		{52.4960, 13.4510},
		{52.4935, 13.4420},
		{52.4925, 13.4300},
		{52.4958, 13.4160},
		{52.4965, 13.4020},
		{52.4985, 13.3850},
		{52.5035, 13.3720},
		{52.5060, 13.3600},
		{52.5075, 13.3490},
		{52.5120, 13.3380},
		{52.5160, 13.3290},
	}
	northCanal = []point{{52.5235, 13.3640}, {52.5310, 13.3640}, {52.5370, 13.3520}, {52.5400, 13.3370}, {52.5360, 13.3150}, {52.5340, 13.2900}}

	parks = []struct {
		kind, name string
		area       []point
	}{
		{"park", "Tiergarten", []point{{52.5165, 13.3765}, {52.5105, 13.3765}, {52.5085, 13.3620}, {52.5105, 13.3480}, {52.5135, 13.3370}, {52.5165, 13.3370}, {52.5185, 13.3480}, {52.5180, 13.3640}}},
		{"park", "Volkspark Friedrichshain", []point{{52.5290, 13.4270}, {52.5300, 13.4400}, {52.5270, 13.4460}, {52.5225, 13.4400}, {52.5230, 13.4310}}},
		{"park", "Tempelhofer Feld", []point{{52.4800, 13.3910}, {52.4810, 13.4060}, {52.4770, 13.4190}, {52.4680, 13.4180}, {52.4665, 13.3990}, {52.4700, 13.3890}}},
		{"park", "Treptower Park", []point{{52.4900, 13.4640}, {52.4880, 13.4720}, {52.4800, 13.4810}, {52.4790, 13.4740}, {52.4850, 13.4640}}},
		{"park", "Hasenheide", []point{{52.4870, 13.4100}, {52.4870, 13.4200}, {52.4815, 13.4210}, {52.4820, 13.4090}}},
		{"park", "Görlitzer Park", []point{{52.4985, 13.4340}, {52.4965, 13.4440}, {52.4945, 13.4430}, {52.4962, 13.4330}}},
		{"park", "Mauerpark", []point{{52.5460, 13.4010}, {52.5465, 13.4050}, {52.5400, 13.4055}, {52.5398, 13.4020}}},
		{"park", "Humboldthain", []point{{52.5470, 13.3830}, {52.5475, 13.3900}, {52.5430, 13.3920}, {52.5425, 13.3840}}},
		{"park", "Viktoriapark", []point{{52.4900, 13.3780}, {52.4900, 13.3840}, {52.4865, 13.3845}, {52.4865, 13.3790}}},
		{"wood", "Volkspark Rehberge", []point{{52.5580, 13.3230}, {52.5590, 13.3380}, {52.5480, 13.3370}, {52.5490, 13.3250}}},
		{"wood", "Grunewald", []point{{52.5050, 13.2200}, {52.5030, 13.2550}, {52.4800, 13.2620}, {52.4500, 13.2500}, {52.4400, 13.2000}, {52.4900, 13.1950}}},
	}

	districts = []struct {
		at    point
		kind  string
		names map[string]string
		// turn is by how many degrees the side streets are turned.
		turn float64
	}{
		{point{52.5205, 13.4095}, "city", map[string]string{"de": "Berlin", "ru": "Берлин", "uk": "Берлін"}, 12},
		{point{52.5245, 13.3960}, "suburb", map[string]string{"de": "Mitte", "ru": "Митте", "uk": "Мітте"}, 8},
		{point{52.5400, 13.4245}, "suburb", map[string]string{"de": "Prenzlauer Berg", "ru": "Пренцлауэр-Берг", "uk": "Пренцлауер-Берг"}, 28},
		{point{52.5135, 13.4545}, "suburb", map[string]string{"de": "Friedrichshain", "ru": "Фридрихсхайн", "uk": "Фрідріхсгайн"}, -8},
		{point{52.4975, 13.4100}, "suburb", map[string]string{"de": "Kreuzberg", "ru": "Кройцберг", "uk": "Кройцберг"}, -14},
		{point{52.4780, 13.4420}, "suburb", map[string]string{"de": "Neukölln", "ru": "Нойкёльн", "uk": "Нойкельн"}, 40},
		{point{52.5160, 13.3500}, "suburb", map[string]string{"de": "Tiergarten", "ru": "Тиргартен", "uk": "Тіргартен"}, 4},
		{point{52.4860, 13.3530}, "suburb", map[string]string{"de": "Schöneberg", "ru": "Шёнеберг", "uk": "Шенеберг"}, 15},
		{point{52.5500, 13.3600}, "suburb", map[string]string{"de": "Wedding", "ru": "Веддинг", "uk": "Веддінг"}, -35},
		{point{52.5100, 13.3050}, "suburb", map[string]string{"de": "Charlottenburg", "ru": "Шарлоттенбург", "uk": "Шарлоттенбург"}, 3},
		{point{52.5150, 13.4950}, "suburb", map[string]string{"de": "Lichtenberg", "ru": "Лихтенберг", "uk": "Ліхтенберг"}, 10},
		{point{52.5520, 13.4620}, "suburb", map[string]string{"de": "Weißensee", "ru": "Вайсензе", "uk": "Вайсензе"}, 35},
	}

	stations = []struct {
		at   point
		name string
	}{
		{point{52.5251, 13.3694}, "Hauptbahnhof"},
		{point{52.5200, 13.3870}, "Friedrichstraße"},
		{point{52.5219, 13.4118}, "Alexanderplatz"},
		{point{52.5103, 13.4347}, "Ostbahnhof"},
		{point{52.5055, 13.4490}, "Warschauer Straße"},
		{point{52.5070, 13.3325}, "Zoologischer Garten"},
		{point{52.4990, 13.4180}, "Kottbusser Tor"},
		{point{52.5490, 13.4140}, "Schönhauser Allee"},
	}

	cityRail = []point{
		{52.5010, 13.2830},
		{52.5055, 13.3190},
		{52.5070, 13.3325},
		{52.5165, 13.3370},
		{52.5235, 13.3480},
		{52.5251, 13.3694},
		{52.5205, 13.3870},
		{52.5235, 13.4020},
		{52.5219, 13.4118},
		{52.5145, 13.4210},
		{52.5103, 13.4347},
		{52.5055, 13.4490},
		{52.5030, 13.4690},
		{52.5110, 13.4980},
	}
	ringRail = []point{
		{52.5490, 13.4140},
		{52.5440, 13.4420},
		{52.5350, 13.4650},
		{52.5140, 13.4750},
		{52.5030, 13.4690},
		{52.4930, 13.4610},
		{52.4720, 13.4550},
		{52.4690, 13.4310},
		{52.4700, 13.4080},
		{52.4750, 13.3850},
		{52.4760, 13.3650},
		{52.4790, 13.3430},
		{52.4790, 13.3290},
		{52.4870, 13.3130},
		{52.5010, 13.2830},
		{52.5170, 13.2800},
		{52.5340, 13.2980},
		{52.5345, 13.3290},
		{52.5430, 13.3430},
		{52.5430, 13.3660},
		{52.5490, 13.3880},
		{52.5490, 13.4140},
	}

	mainRoads = []struct {
		kind, name string
		line       []point
	}{
		{"motorway", "", []point{{52.5500, 13.2900}, {52.5300, 13.2830}, {52.5100, 13.2790}, {52.4950, 13.2900}, {52.4810, 13.3120}, {52.4770, 13.3330}, {52.4735, 13.3600}, {52.4700, 13.3800}, {52.4640, 13.4100}, {52.4620, 13.4400}, {52.4690, 13.4600}}},
		{"primary", "Straße des 17. Juni", []point{{52.5163, 13.3777}, {52.5145, 13.3500}, {52.5125, 13.3220}, {52.5110, 13.3000}}},
		{"primary", "Bismarckstraße", []point{{52.5125, 13.3220}, {52.5115, 13.3050}, {52.5100, 13.2820}}},
		{"primary", "Frankfurter Allee", []point{{52.5175, 13.4540}, {52.5145, 13.4750}, {52.5120, 13.4980}, {52.5090, 13.5250}}},
		{"primary", "Landsberger Allee", []point{{52.5240, 13.4200}, {52.5285, 13.4560}, {52.5320, 13.4800}, {52.5350, 13.5100}}},
		{"primary", "Müllerstraße", []point{{52.5420, 13.3680}, {52.5520, 13.3480}, {52.5600, 13.3330}}},
		{"primary", "Mehringdamm", []point{{52.4985, 13.3910}, {52.4900, 13.3870}, {52.4830, 13.3860}, {52.4700, 13.3850}}},
		{"primary", "Karl-Marx-Straße", []point{{52.4870, 13.4250}, {52.4770, 13.4390}, {52.4640, 13.4500}}},
		{"secondary", "Hermannstraße", []point{{52.4870, 13.4250}, {52.4760, 13.4260}, {52.4650, 13.4320}}},
		{"secondary", "Gitschiner Straße", []point{{52.4985, 13.3910}, {52.4975, 13.4060}, {52.4990, 13.4175}}},
		{"secondary", "Kottbusser Damm", []point{{52.4990, 13.4180}, {52.4930, 13.4215}, {52.4870, 13.4250}}},
		{"secondary", "Köpenicker Straße", []point{{52.5110, 13.4170}, {52.5055, 13.4330}, {52.5008, 13.4415}}},
		{"secondary", "Heinrich-Heine-Straße", []point{{52.5120, 13.4160}, {52.5040, 13.4130}, {52.4990, 13.4180}}},
		{"secondary", "Danziger Straße", []point{{52.5405, 13.4118}, {52.5360, 13.4300}, {52.5300, 13.4430}, {52.5250, 13.4530}}},
		{"secondary", "Petersburger Straße", []point{{52.5250, 13.4530}, {52.5160, 13.4540}}},
		{"secondary", "Bernauer Straße", []point{{52.5325, 13.3880}, {52.5405, 13.4040}, {52.5430, 13.4118}}},
		{"secondary", "Bornholmer Straße", []point{{52.5550, 13.4130}, {52.5545, 13.3980}, {52.5530, 13.3800}, {52.5500, 13.3650}}},
		{"secondary", "Seestraße", []point{{52.5500, 13.3650}, {52.5460, 13.3480}, {52.5400, 13.3340}}},
		{"secondary", "Alt-Moabit", []point{{52.5235, 13.3690}, {52.5240, 13.3540}, {52.5250, 13.3350}, {52.5230, 13.3180}}},
		{"secondary", "Bundesallee", []point{{52.5005, 13.3310}, {52.4900, 13.3315}, {52.4760, 13.3320}}},
		{"secondary", "Hauptstraße", []point{{52.4930, 13.3605}, {52.4860, 13.3530}, {52.4780, 13.3440}}},
		{"secondary", "Yorckstraße", []point{{52.4930, 13.3605}, {52.4930, 13.3760}, {52.4940, 13.3870}}},
		{"secondary", "Stralauer Allee", []point{{52.5020, 13.4465}, {52.4985, 13.4580}, {52.4930, 13.4720}}},
		{"secondary", "Alexanderstraße", []point{{52.5240, 13.4200}, {52.5200, 13.4170}, {52.5130, 13.4180}}},
		{"tertiary", "Wiener Straße", []point{{52.4995, 13.4250}, {52.4965, 13.4350}, {52.4950, 13.4440}}},
		{"tertiary", "Adalbertstraße", []point{{52.4990, 13.4180}, {52.5020, 13.4195}, {52.5060, 13.4230}}},
		{"tertiary", "Gneisenaustraße", []point{{52.4925, 13.3870}, {52.4915, 13.3980}, {52.4905, 13.4080}}},
		{"tertiary", "Urbanstraße", []point{{52.4960, 13.3960}, {52.4930, 13.4080}, {52.4910, 13.4210}}},
		{"tertiary", "Revaler Straße", []point{{52.5070, 13.4540}, {52.5075, 13.4620}, {52.5060, 13.4700}}},
		{"tertiary", "Eberswalder Straße", []point{{52.5430, 13.4060}, {52.5410, 13.4118}}},
		{"tertiary", "Brunnenstraße", []point{{52.5300, 13.4010}, {52.5370, 13.3960}, {52.5450, 13.3890}}},
	}
)

// drawGround draws land, water, parks and rails.
func (d *drawing) drawGround() {
	d.addArea(land, map[string]string{"natural": "land"})
	water := map[string]string{"natural": "water", "water": "river", "name": "Spree", "name:ru": "Шпрее", "name:uk": "Шпрее"}
	d.addFreeArea(widen(river, 95), water)
	d.addLine(river, map[string]string{"waterway": "river", "name": "Spree", "name:ru": "Шпрее", "name:uk": "Шпрее"})
	d.addFreeArea(widen(canal, 32), map[string]string{"natural": "water", "water": "canal"})
	d.addLine(canal, map[string]string{"waterway": "canal", "name": "Landwehrkanal", "name:ru": "Ландвер-канал", "name:uk": "Ландвер-канал"})
	d.addFreeArea(widen(northCanal, 32), map[string]string{"natural": "water", "water": "canal"})
	for _, p := range parks {
		key := "leisure"
		if p.kind == "wood" {
			key = "natural"
		}
		d.addFreeArea(p.area, map[string]string{key: p.kind, "name": p.name})
	}
	for _, line := range [][]point{cityRail, ringRail} {
		d.addRoad(line, map[string]string{"railway": "rail"})
	}
}

// drawPlaces draws the names of the city and its districts, and stations.
func (d *drawing) drawPlaces() {
	for _, place := range districts {
		tags := map[string]string{"place": place.kind}
		if place.kind == "city" {
			tags["population"] = "3600000"
		}
		d.addNode(place.at, named(tags, place.names, "de"))
	}
	for _, s := range stations {
		d.addNode(s.at, map[string]string{"railway": "station", "name": s.name})
	}
}

// drawStreet draws a street of the demo. Its line may go there and back, as its houses are numbered.
func (d *drawing) drawStreet(s street) {
	corners := s.Line
	if corners == nil {
		corners = [][]float64{s.From, s.To}
	}
	if last := len(corners) - 1; corners[0][0] == corners[last][0] && corners[0][1] == corners[last][1] {
		corners = corners[:last/2+1]
	}
	line := make([]point, len(corners))
	for i, c := range corners {
		line[i] = point{c[0], c[1]}
	}
	names := map[string]string{"de": s.Name["de"], "ru": s.Name["ru"]}
	d.addRoad(line, named(map[string]string{"highway": "secondary"}, names, "de"))
}

// drawMainRoads draws the main roads that the demo's streets leave out.
func (d *drawing) drawMainRoads() {
	for _, r := range mainRoads {
		tags := map[string]string{"highway": r.kind}
		if r.name != "" {
			tags["name"] = r.name
		}
		d.addRoad(r.line, tags)
	}
}
