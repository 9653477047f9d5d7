-- A profile of tilemaker that writes the layers of Protomaps' basemap, version 4, as far as the page draws
-- them: earth, landuse, water, buildings, roads, boundaries, places and pois. See docs/maps.md.

node_keys = { "place", "railway", "public_transport" }

languages = { "ru", "en", "tr", "uz", "de", "uk" }

-- The value of each table is the kind of a road in the layer, and from which zoom on it is shown.
roads = {
  motorway = { "highway", 8 }, motorway_link = { "highway", 11 },
  trunk = { "major_road", 8 }, trunk_link = { "major_road", 12 },
  primary = { "major_road", 9 }, primary_link = { "major_road", 12 },
  secondary = { "major_road", 10 }, secondary_link = { "major_road", 13 },
  tertiary = { "major_road", 11 }, tertiary_link = { "major_road", 13 },
  unclassified = { "minor_road", 13 }, residential = { "minor_road", 13 }, living_street = { "minor_road", 13 },
  road = { "minor_road", 13 }, service = { "minor_road", 14 },
  pedestrian = { "path", 13 }, footway = { "path", 14 }, cycleway = { "path", 14 }, path = { "path", 14 },
  track = { "path", 14 }, steps = { "path", 14 },
}

rails = { rail = 11, light_rail = 12, tram = 14, subway = 14 }

landuses = {
  landuse = {
    residential = "residential", commercial = "commercial", retail = "commercial", industrial = "industrial",
    cemetery = "cemetery", forest = "forest", grass = "grass", meadow = "meadow", recreation_ground = "recreation_ground",
    village_green = "village_green", allotments = "allotments", railway = "railway", farmland = "farmland",
  },
  leisure = {
    park = "park", garden = "garden", golf_course = "golf_course", pitch = "pitch", playground = "playground",
    nature_reserve = "nature_reserve", stadium = "stadium",
  },
  natural = { wood = "wood", scrub = "scrub", beach = "beach", sand = "sand", grassland = "grassland", heath = "scrub" },
  amenity = { school = "school", university = "university", college = "college", hospital = "hospital", grave_yard = "cemetery" },
  aeroway = { aerodrome = "aerodrome", runway = "runway", taxiway = "taxiway" },
}

waterways = { river = { "river", 9 }, canal = { "canal", 11 }, stream = { "stream", 13 }, ditch = { "ditch", 14 }, drain = { "drain", 14 } }

-- The kind of a place, the zoom from which on it is shown, and its rank where no population is known.
places = {
  city = { "locality", 6, 11 }, town = { "locality", 8, 8 }, village = { "locality", 11, 5 }, hamlet = { "locality", 13, 3 },
  borough = { "macrohood", 10, 7 }, suburb = { "neighbourhood", 11, 6 }, quarter = { "neighbourhood", 13, 4 },
  neighbourhood = { "neighbourhood", 13, 3 },
}

boundaries = { ["2"] = { "country", 6 }, ["4"] = { "region", 6 }, ["6"] = { "county", 9 }, ["8"] = { "locality", 11 } }

-- Writes the name, and those in the languages of the page that differ from it.
function write_names(object)
  local name = object:Find("name")
  if name == "" then return end
  object:Attribute("name", name)
  for _, language in ipairs(languages) do
    local translated = object:Find("name:" .. language)
    if translated ~= "" and translated ~= name then object:Attribute("name:" .. language, translated) end
  end
end

-- Returns the rank of a population as Protomaps counts it: 1 for a few hundred, 17 for a hundred million.
function rank_of(population, otherwise)
  local people = tonumber(population)
  if not people or people < 1 then return otherwise end
  return math.max(1, math.min(17, math.floor(math.log(people / 100) / math.log(2.3))))
end

function node_function(node)
  local place = places[node:Find("place")]
  if place then
    node:Layer("places", false)
    node:Attribute("kind", place[1])
    node:Attribute("kind_detail", node:Find("place"))
    node:AttributeNumeric("min_zoom", place[2])
    node:AttributeNumeric("population_rank", rank_of(node:Find("population"), place[3]))
    node:MinZoom(place[2])
    write_names(node)
  end
  if node:Find("railway") == "station" then
    node:Layer("pois", false)
    node:Attribute("kind", "station")
    node:AttributeNumeric("min_zoom", 13)
    write_names(node)
  end
end

-- Writes a road or rails.
function write_road(way)
  local highway, railway = way:Find("highway"), way:Find("railway")
  local kind, detail, from
  if roads[highway] then
    kind, detail, from = roads[highway][1], highway, roads[highway][2]
  elseif rails[railway] then
    kind, detail, from = "rail", railway, rails[railway]
  elseif way:Find("route") == "ferry" then
    kind, detail, from = "ferry", "ferry", 12
  else
    return
  end
  if kind == "rail" and way:Find("service") ~= "" then from = 14 end
  way:Layer("roads", false)
  way:MinZoom(from)
  way:Attribute("kind", kind)
  way:Attribute("kind_detail", detail)
  if way:Find("bridge") ~= "" and way:Find("bridge") ~= "no" then way:AttributeBoolean("is_bridge", true) end
  if way:Find("tunnel") ~= "" and way:Find("tunnel") ~= "no" then way:AttributeBoolean("is_tunnel", true) end
  if string.sub(highway, -5) == "_link" then way:AttributeBoolean("is_link", true) end
  local ref = way:Find("ref")
  if ref ~= "" and kind ~= "rail" then way:Attribute("ref", ref) end
  if kind ~= "rail" then write_names(way) end
end

-- Returns the kind of the ground of an area, nil where nothing is shown.
function landuse_of(way)
  for key, kinds in pairs(landuses) do
    local kind = kinds[way:Find(key)]
    if kind then return kind end
  end
end

-- Writes water: areas, and the lines of rivers.
function write_water(way)
  local waterway = waterways[way:Find("waterway")]
  local isArea = way:Find("natural") == "water" or way:Find("waterway") == "riverbank" or way:Find("landuse") == "reservoir"
  if isArea and way:IsClosed() then
    local kind = way:Find("water")
    way:Layer("water", true)
    if kind ~= "lake" and kind ~= "river" and kind ~= "canal" then kind = "water" end
    way:Attribute("kind", kind)
    write_names(way)
  elseif waterway then
    way:Layer("water", false)
    way:MinZoom(waterway[2])
    way:Attribute("kind", waterway[1])
    write_names(way)
  end
end

function way_function(way)
  write_road(way)
  write_water(way)
  if way:IsClosed() then
    local kind = landuse_of(way)
    if kind then
      way:Layer("landuse", true)
      if kind == "residential" then way:MinZoom(10) end
      way:Attribute("kind", kind)
      write_names(way)
    end
    local natural, place = way:Find("natural"), way:Find("place")
    if natural == "land" or place == "island" or place == "islet" then
      way:Layer("earth", true)
      way:Attribute("kind", "earth")
    end
    if way:Find("building") ~= "" and way:Find("building") ~= "no" then
      way:Layer("buildings", true)
      way:Attribute("kind", "building")
    end
  end
  local boundary = way:Find("boundary") == "administrative" and boundaries[way:Find("admin_level")]
  if boundary then
    way:Layer("boundaries", false)
    way:MinZoom(boundary[2])
    way:Attribute("kind", boundary[1])
    way:AttributeNumeric("kind_detail", tonumber(way:Find("admin_level")))
  end
end
