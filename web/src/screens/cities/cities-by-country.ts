import type { Schema } from '@/api/types';
import { fold } from '@/lib/fold';

type City = Schema<'CityBrief'>;

/** A country with its cities. */
export interface CountryCities {
  country: Schema<'Country'>;
  cities: City[];
}

/** Returns the cities by country, both in the server's order, but the big cities of each country first. */
export function citiesByCountry({ list, big_cities: big }: Schema<'CityList'>): CountryCities[] {
  const isBig = new Set(big.map((city) => city.id));
  const countries = new Map<number, CountryCities>();
  const bigFirst = [
    ...list.filter((city) => isBig.has(city.id)),
    ...list.filter((city) => !isBig.has(city.id)),
  ];
  for (const city of list) {
    const { country } = city;
    if (!countries.has(country.id)) countries.set(country.id, { country, cities: [] });
  }
  for (const city of bigFirst) countries.get(city.country.id)?.cities.push(city);
  return [...countries.values()];
}

/** Reports whether the city's name, or a later word of it, begins with what was typed, both folded. */
export function isNamedLike(city: City, words: string): boolean {
  const wanted = fold(words.trim());
  const name = fold(city.name);
  return name.startsWith(wanted) || name.includes(` ${wanted}`) || name.includes(`-${wanted}`);
}
