import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Language, languages } from '../../web/src/lib/languages.ts';

export type { Language };

/**
 * Returns a pattern for a text of the page, named by its English or by its id. Only the id works when several
 * texts are equal in English and differ in the language. A variable without a value matches anything.
 */
export type Say = (name: string, values?: Record<string, string | number>) => RegExp;

const catalogues = resolve(import.meta.dirname, '../../web/src/locales');
const known = new Map<Language, ReadonlyMap<string, string>>();

/**
 * Returns a `Say` for the page's texts in a language. It throws for a text that the page does not have or has not
 * translated. `change` is applied to each text first, as the page changes it too.
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

/** Returns a `Say` for the server's messages in a language, named by their keys. It throws for an unknown key. */
export function replies(language: Language): Say {
  return (key, values = {}) => {
    const text = messageIn(language, key);
    if (!text) throw new Error(`the server has no message "${key}" in ${language}`);
    return pattern(text.startsWith('"') ? (JSON.parse(text) as string) : text, values);
  };
}

/** Returns a pattern of a server's message without values, in whichever language it is shown. */
export function replyInAnyLanguage(key: string): RegExp {
  return new RegExp(languages.map((language) => replies(language)(key).source).join('|'), 'u');
}

/**
 * Returns the text of a server message in a language, as it is written in its file; undefined when there is none
 * or the message has plural forms.
 */
function messageIn(language: Language, key: string): string | undefined {
  for (const file of readdirSync(messages)) {
    const [, after] = `\n${readFileSync(join(messages, file), 'utf8')}`.split(`\n${key}:\n`);
    const [message] = after?.split(/\n(?! )/) ?? [];
    const line = message?.split('\n').find((one) => one.startsWith(`  ${language}: `));
    if (line) return line.slice(language.length + 4);
  }
  return undefined;
}

/**
 * Returns a pattern for a whole text: without markup, with any kind of space, and with anything for a missing
 * value.
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

/** Escapes the signs of a text that have a meaning in a pattern. */
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Returns the texts of a language by their English and by their ids. */
function readCatalogues(language: Language): Map<string, string> {
  const english = readTexts('en');
  const all = readTexts(language);
  const named = new Map<string, string>();
  for (const [id, text] of all) {
    const name = english.get(id) ?? id;
    const other = named.get(name);
    // Two texts are equal in English only, so the English is no name; the empty text makes `say` throw.
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

/** Yields id and text of each entry of a gettext file. */
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
