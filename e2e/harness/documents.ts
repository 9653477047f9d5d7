import { request } from 'node:http';
import { type Language, languages } from '../../web/src/lib/languages.ts';
import type { Program } from './program.ts';

/** A page as the server sends it. */
export interface ServedDocument {
  name: string;
  status: number;
  html: string;
}

/** The brands with the city whose pages are requested. */
const cities = { sushi: 'moscow', shawarma: 'moscow', pizza: 'moscow' };

/** Returns a path of every kind of page, of the city or of no city. */
const kinds = (city: string) => [
  '/',
  `/${city}`,
  ...[
    'promotions',
    'bonus',
    'delivery',
    'shops',
    'cart',
    'profile',
    'back-to-home',
    'order/12345678/tracking',
    'order/payment/some-key',
    'nowhere',
  ].map((page) => `/${city}/${page}`),
  '/auth/link',
  '/auth/vk/callback',
  '/nowhere',
];

/** Fetches every kind of page of every brand. The languages take turns. */
export async function servedDocuments(program: Program): Promise<ServedDocument[]> {
  const wanted = Object.entries(cities).flatMap(([brand, city]) => kinds(city).map((path) => ({ brand, path })));
  const documents: ServedDocument[] = [];
  for (const [place, { brand, path }] of wanted.entries()) {
    const language = languages[place % languages.length] as Language;
    documents.push(await wholeDocument(program, brand, path, language));
  }
  return documents;
}

/** Fetches a document until it has its body, up to half a minute: the first request of a document gets none. */
async function wholeDocument(program: Program, brand: string, path: string, language: Language) {
  for (const until = Date.now() + 30_000; ; ) {
    const document = await fetchDocument(program, brand, path, language);
    if (document.html.includes('<main') || Date.now() > until) return document;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Fetches a document as it is served now. */
function fetchDocument(program: Program, brand: string, path: string, language: Language): Promise<ServedDocument> {
  const headers = { host: `${brand}.localhost:${program.port}`, cookie: `language=${language}` };
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: program.port, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const html = Buffer.concat(parts).toString();
        resolve({ name: `${brand} ${path} in ${language}`, status: answer.statusCode ?? 0, html });
      });
    });
    call.on('error', reject);
    call.end();
  });
}
