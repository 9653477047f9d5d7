import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Language } from '../../web/src/lib/languages.ts';

export type { Language };

/**
 * A text of the page as a pattern: what is left open in it may be anything. It is named by its English
 * or by its id; by its id where several texts are alike in English only.
 */
export type Say = (name: string, values?: Record<string, string | number>) => RegExp;

const catalogues = resolve(import.meta.dirname, '../../web/src/locales');
const known = new Map<Language, ReadonlyMap<string, string>>();

/**
 * The page's texts in a language, by their English and by their ids: a test names a button by
 * what it means and finds it by what the customer reads. A text that the page does not
 * have, or has not translated, is an error. `change` makes of a text what the page shows for it.
 */
export function texts(language: Language, change = (text: string) => text): Say {
  let catalogue = known.get(language);
  if (!catalogue) {
    catalogue = readCatalogues(language);
    known.set(language, catalogue);
  }
  const found = catalogue;
  return (name, values = {}) => {
    const text = found.get(name);
    if (!text) throw new Error(`the page has no text "${name}" in ${language}`);
    return pattern(change(text), values);
  };
}

const messages = resolve(import.meta.dirname, '../../internal/lang/messages');

/** The server's messages in a language, by their keys. One that it does not have is an error. */
export function replies(language: Language): Say {
  return (key, values = {}) => {
    const text = answerIn(language, key);
    if (!text) throw new Error(`the server has no message "${key}" in ${language}`);
    return pattern(text.startsWith('"') ? (JSON.parse(text) as string) : text, values);
  };
}

/** Finds the text of a server message in a language, as its file has it. A message with plural forms is not found. */
function answerIn(language: Language, key: string): string | undefined {
  for (const file of readdirSync(messages)) {
    const [, after] = `\n${readFileSync(join(messages, file), 'utf8')}`.split(`\n${key}:\n`);
    const [message] = after?.split(/\n(?! )/) ?? [];
    const line = message?.split('\n').find((one) => one.startsWith(`  ${language}: `));
    if (line) return line.slice(language.length + 4);
  }
  return undefined;
}

/**
 * Makes a pattern for a whole text: without its markup, with any kind of space, and with anything in
 * place of a variable that has no value.
 */
function pattern(text: string, values: Record<string, string | number>): RegExp {
  const parts = text
    .replaceAll(/<\/?\d+\/?>/g, '')
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return escape(part);
      const value = values[name];
      return value === undefined ? '.*?' : escape(String(value));
    });
  return new RegExp(`^\\s*${parts.join('').replaceAll(/[ \u00a0]+/g, '\\s+')}\\s*$`, 'u');
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Returns the texts of a language by their English and by their ids. */
function readCatalogues(language: Language): Map<string, string> {
  const english = readTexts('en');
  const all = readTexts(language);
  const named = new Map<string, string>();
  for (const [id, text] of all) {
    const name = english.get(id) ?? id;
    const other = named.get(name);
    // Alike in English only: which of the two is meant, only an id says.
    named.set(name, other === undefined || other === text ? text : '');
  }
  return new Map([...named, ...all]);
}

/** Returns the texts of a language by their ids. */
function readTexts(language: Language): Map<string, string> {
  const folder = join(catalogues, language);
  return new Map(
    readdirSync(folder).flatMap((file) => [...readCatalogue(readFileSync(join(folder, file), 'utf8'))]),
  );
}

/** Reads the entries of a gettext file. */
function* readCatalogue(content: string): Generator<[string, string]> {
  for (const entry of content.split(/\n\s*\n/)) {
    const field = (name: string) => {
      const found = new RegExp(`^${name} ((?:".*"\\n?)+)`, 'm').exec(entry)?.[1] ?? '';
      return found
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as string)
        .join('');
    };
    const id = field('msgid');
    if (id) yield [id, field('msgstr')];
  }
}
