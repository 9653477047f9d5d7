// Reads and checks the recipes: every fault names the picture and the word that is wrong.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { INGREDIENTS } from './ingredients/table.mjs';
import { LIQUIDS, SAUCES } from './ingredients/sauces.mjs';
import { COLOURS } from './forms/table.mjs';
import { BROTH_NAMES } from './forms/bowls.mjs';
import { WRAP_NAMES } from './forms/shawarma.mjs';
import { PIECE_NAMES } from './forms/snacks.mjs';
import { DESSERT_NAMES } from './forms/desserts.mjs';

const among = (what, list) => { const set = new Set(list); return (v) => (set.has(v) ? null : `unknown ${what} "${v}"`); };
const ingredient = among('ingredient', Object.keys(INGREDIENTS));
const sauce = among('sauce', Object.keys(SAUCES));
const colour = among('colour', Object.keys(COLOURS));
const number = (v) => (Number.isInteger(v) && v > 0 && v <= 60 ? null : `"${v}" is not a count of 1 to 60`);
const flag = (v) => (typeof v === 'boolean' ? null : `"${v}" is not true or false`);
const either = (a, b) => (v) => (a(v) && b(v) ? a(v) : null);
const many = (check) => (v) => (Array.isArray(v) ? v.map(check).find(Boolean) ?? null : `"${v}" is not a list`);
const orMany = (check) => (v) => (Array.isArray(v) ? many(check)(v) : check(v));
const text = (v) => (typeof v === 'string' ? null : `"${v}" is not a text`);
const anything = () => null;
const items = many(ingredient), mixed = many(either(ingredient, sauce));

/** Keys of every form; a star marks the needed ones. */
const FORMS = {
  uramaki: { 'filling*': items, outside: ingredient, count: number, sauce, garnish: items },
  maki: { 'filling*': items, count: number, sauce, garnish: items },
  futomaki: { 'filling*': items, count: number, sauce, garnish: items },
  'hot-roll': { coating: among('coating', ['tempura', 'panko', 'cheese-cap', 'spicy-cap']), 'filling*': items, count: number, sauce, garnish: items },
  nigiri: { 'topping*': ingredient, count: number, sauce, garnish: items },
  gunkan: { 'topping*': ingredient, count: number, sauce, garnish: items },
  sashimi: { 'topping*': orMany(ingredient), garnish: items },
  onigiri: { 'filling*': items, coating: among('coating', ['sesame', 'none']), count: number },
  board: { 'rolls*': anything },
  wok: { 'base*': ingredient, 'toppings*': items, sauce },
  soup: { 'broth*': among('broth', BROTH_NAMES), 'toppings*': items, base: ingredient },
  poke: { 'base*': ingredient, 'toppings*': items, sauce, garnish: items },
  pizza: { sauce, 'toppings*': items, shape: among('shape', ['round', 'square']), crust: among('crust', ['classic', 'thin', 'cheese']), drizzle: sauce, size: among('size', ['small', 'medium', 'large']), slices: flag },
  'pizza-half': { 'halves*': anything, crust: among('crust', ['classic', 'thin', 'cheese']), size: among('size', ['small', 'medium', 'large']), slices: flag },
  calzone: { 'filling*': items, sauce },
  focaccia: { 'toppings*': items },
  pasta: { 'kind*': among('pasta', ['spaghetti', 'penne', 'fettuccine', 'lasagna', 'gnocchi', 'farfalle', 'ravioli']), 'sauce*': sauce, toppings: items },
  sandwich: { bread: among('bread', ['ciabatta', 'bun', 'toast', 'baguette']), 'filling*': mixed },
  burger: { bun: among('bun', ['brioche', 'black']), 'filling*': mixed },
  shawarma: { wrap: among('wrap', WRAP_NAMES), 'filling*': mixed, size: among('size', ['small', 'medium', 'large']), whole: flag },
  pita: { 'filling*': mixed },
  plate: { 'main*': items, sides: items, sauce },
  pieces: { 'kind*': among('kind of pieces', PIECE_NAMES), count: number, sauce, toppings: items },
  hummus: { spread: sauce, toppings: items },
  salad: { 'toppings*': items, sauce },
  sauce: { 'sauce*': sauce, toppings: items },
  side: { 'item*': ingredient },
  drink: { 'vessel*': among('vessel', ['glass', 'bottle', 'glass-bottle', 'can', 'cup', 'mug', 'jug', 'teapot', 'carton']), 'liquid*': among('liquid', Object.keys(LIQUIDS)), extras: many(either(ingredient, (v) => (v === 'ice' ? null : 'no'))), label: colour },
  dessert: { 'kind*': among('dessert', DESSERT_NAMES), flavour: either(ingredient, sauce), count: number, toppings: items, sauce },
  fluent: { 'emoji*': (v) => (/^[0-9a-f-]+$/.test(String(v)) ? null : `"${v}" is not a hex code point`), plate: colour },
  group: { 'dishes*': many(text) },
  promo: { 'dishes*': many(text) },
};

function faultsOf(recipe) {
  const form = FORMS[recipe?.form];
  if (!form) return [`unknown form "${recipe?.form}"`];
  const out = [], known = { ground: colour, seed: (v) => (Number.isInteger(v) ? null : `seed "${v}" is not a whole number`) };
  for (const [key, check] of Object.entries(form)) {
    const name = key.replace('*', '');
    known[name] = check;
    if (key.endsWith('*') && recipe[name] === undefined) out.push(`${recipe.form} needs "${name}"`);
  }
  for (const [key, value] of Object.entries(recipe)) {
    if (key === 'form') continue;
    const fault = known[key] ? known[key](value) : `unknown key "${key}" for ${recipe.form}`;
    if (fault) out.push(fault);
  }
  return out;
}

/** The recipes of a file, checked, the names in sets and groups replaced by what they stand for. Throws all faults at once. */
export function readRecipes(path) {
  const all = parse(readFileSync(path, 'utf8')) ?? {};
  const faults = [];
  for (const [name, recipe] of Object.entries(all)) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) faults.push(`${name}: a name is kebab-case latin`);
    for (const f of faultsOf(recipe)) faults.push(`${name}: ${f}`);
    for (const part of recipe?.halves ?? []) for (const f of faultsOf({ form: 'pizza', ...part })) faults.push(`${name}: ${f}`);
  }
  const resolve = (name, one) => {
    if (typeof one !== 'string') return one;
    if (!all[one]) faults.push(`${name}: no recipe named "${one}"`);
    return all[one];
  };
  const out = {};
  for (const [name, recipe] of Object.entries(all)) {
    out[name] = { ...recipe };
    if (recipe.rolls) out[name].rolls = recipe.rolls.map((r) => resolve(name, r));
    if (recipe.dishes) out[name].parts = recipe.dishes.map((d) => ({ name: d, recipe: resolve(name, d) }));
  }
  if (faults.length) throw new Error(`${path}:\n  ${faults.join('\n  ')}`);
  for (const recipe of Object.values(out)) for (const p of recipe.parts ?? []) p.recipe = out[p.name];
  return out;
}
