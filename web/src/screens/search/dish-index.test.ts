import { describe, expect, it } from 'vitest';
import type { Schema } from '@/api/types';
import type { Language } from '@/lib/language';
import { demoDishes } from '@/testing/demo-dishes';
import { makeGroup, makeProduct } from '@/testing/fixtures';
import { indexDishes } from './dish-index';

const accents: Record<Language, Record<string, string>> = {
  ru: { spicy: 'Острое', vegan: 'Веганское' },
  en: { spicy: 'Spicy', vegan: 'Vegan' },
  tr: { spicy: 'Acı', vegan: 'Vegan' },
  uz: { spicy: 'Achchiq', vegan: 'Vegan' },
  de: { spicy: 'Scharf', vegan: 'Vegan' },
  uk: { spicy: 'Гостре', vegan: 'Веганське' },
};

/** Returns the demo's dishes in a language, as the server sends them. */
function menuIn(language: Language): Schema<'ProductGroup'>[] {
  const groups = new Map<string, Schema<'ProductGroup'>>();
  for (const { alias, accent, name, group, composition } of demoDishes) {
    const own = groups.get(group.en) ?? makeGroup({ name: group[language], products: [] });
    const product = {
      key: alias,
      accent,
      name: name[language],
      composition: composition[language],
    };
    groups.set(group.en, { ...own, products: [...own.products, makeProduct(product)] });
  }
  return [...groups.values()];
}

/** Returns the search of the demo's dishes in a language; it returns the keys of the found dishes. */
const searchIn = (language: Language) => {
  const find = indexDishes(menuIn(language), ({ accent }) => accents[language][accent ?? ''] ?? '');
  return (text: string) => find(text).map(({ product }) => product.key);
};

describe('the search', () => {
  it.each<[Language, string, string]>([
    ['ru', 'филадельфия', 'filadelfiya'],
    ['ru', 'ФИЛАДЕЛЬФИЮ', 'filadelfiya'],
    ['ru', 'филодельфия', 'filadelfiya'],
    ['ru', 'филод', 'filadelfiya'],
    ['ru', 'калифорня', 'kaliforniya-krevetka'],
    ['ru', 'с угрем', 'nigiri-ugor'],
    ['ru', 'зеленый чай', 'kholodnyy-chay'],
    ['ru', 'вок с курицей', 'wok-kuritsa'],
    ['ru', 'картофлеь', 'kartofel-fri'],
    ['en', 'filadelfia', 'filadelfiya'],
    ['en', 'philadelpia', 'filadelfiya'],
    ['en', 'chiken wok', 'wok-kuritsa'],
    ['en', 'green tea', 'kholodnyy-chay'],
    ['tr', 'yilan baligi', 'nigiri-ugor'],
    ['tr', 'YEŞİL ÇAY', 'kholodnyy-chay'],
    ['tr', 'patates kizartmasi', 'kartofel-fri'],
    ['tr', 'philadelfia', 'filadelfiya'],
    ['uz', 'sho‘rva', 'miso'],
    ['uz', "mol go'shti", 'wok-govyadina'],
    ['uz', 'kalifornya', 'kaliforniya-krevetka'],
    ['de', 'hahnchen wok', 'wok-kuritsa'],
    ['de', 'haehnchen ramen', 'ramen-kuritsa'],
    ['de', 'misosupe', 'miso'],
    ['de', 'sojasause', 'soevyy-sous'],
    ['uk', 'філадельфія', 'filadelfiya'],
    ['uk', 'филадельфия', 'filadelfiya'],
    ['uk', 'з вугрем', 'nigiri-ugor'],
    ['uk', 'соевий соус', 'soevyy-sous'],
    ['uz', 'Филадельфия', 'filadelfiya'],
    ['uz', 'Калифорния', 'kaliforniya-krevetka'],
    ['ru', 'philadelphia', 'filadelfiya'],
    ['ru', 'California', 'kaliforniya-krevetka'],
    ['ru', 'wok kuritsa', 'wok-kuritsa'],
    ['uk', 'cola', 'kola'],
    ['en', 'рамен', 'ramen-kuritsa'],
    ['de', 'мисо', 'miso'],
  ])('in %s for "%s" lists %s first', (language, text, expected) => {
    expect(searchIn(language)(text)[0]).toBe(expected);
  });

  it.each<[Language, string]>([
    ['ru', 'лосось'],
    ['ru', 'лососем'],
    ['ru', 'лосоьс'],
    ['en', 'samlon'],
    ['tr', 'somon'],
    ['uz', 'losos'],
    ['de', 'lachs'],
    ['uk', 'лосось'],
  ])(
    'in %s for "%s" finds every dish with salmon, by its name or what it is made of',
    (language, text) => {
      const salmon = ['filadelfiya', 'ostryy-losos', 'maki-losos', 'sashimi-losos'];
      expect(searchIn(language)(text)).toEqual(expect.arrayContaining(salmon));
    },
  );

  it.each<[Language, string]>([
    ['ru', 'супы'],
    ['en', 'soups'],
    ['tr', 'corbalar'],
    ['uz', 'shorvalar'],
    ['de', 'suppen'],
    ['uk', 'супи'],
  ])('in %s for the group "%s" finds its dishes and no others', (language, text) => {
    expect(searchIn(language)(text).sort()).toEqual(['miso', 'ramen-kuritsa', 'tom-yam']);
  });

  it.each<[Language, string, string]>([
    ['ru', 'острое', 'wok-krevetka'],
    ['ru', 'острый', 'wok-krevetka'],
    ['en', 'spicy', 'wok-krevetka'],
    ['tr', 'aci', 'tom-yam'],
    ['uz', 'achchiq', 'zapechennaya-midiya'],
    ['de', 'scharf', 'tom-yam'],
    ['uk', 'гостре', 'tom-yam'],
    ['ru', 'веган', 'maki-ogurets'],
    ['de', 'vegan', 'maki-ogurets'],
  ])('in %s understands the accent "%s"', (language, text, expected) => {
    expect(searchIn(language)(text)).toContain(expected);
  });

  it('requires every word where a dish has them all, otherwise as many as possible', () => {
    const search = searchIn('ru');
    expect(search('вок говядина')).toEqual(['wok-govyadina']);
    expect(search('говядина маки')).toEqual(
      expect.arrayContaining(['wok-govyadina', 'maki-losos', 'maki-ogurets']),
    );
  });

  it('puts a dish of that name before those that contain it', () => {
    expect(searchIn('ru')('соевый соус')[0]).toBe('soevyy-sous');
    expect(searchIn('en')('cola')[0]).toBe('kola');
  });

  it.each(['', '  ', '«—»', 'ёжик', 'qqqq', 'xyzxyzxyz'])('for "%s" finds nothing', (text) => {
    expect(searchIn('ru')(text)).toEqual([]);
  });

  it('says which words of the menu matched', () => {
    const [first] = indexDishes(menuIn('ru'), () => '')('лососем');
    expect(first?.words.has('лососем')).toBe(true);
  });

  it('finds a set by its parts', () => {
    const set = makeProduct({
      name: 'Сет «Семейный»',
      composition: '',
      set_of: [{ product_key: '1-1', name: 'Аляска', count: 2 }],
    });
    const find = indexDishes([makeGroup({ products: [set] })], () => '');
    expect(find('аляска')).toHaveLength(1);
  });
});
