import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Language } from '../../web/src/lib/languages.ts';

export type { Language };

/**
 * A text of the page as a pattern: what is left open in it may be anything. A text with a context is
 * named "context|text" where the same text is there without.
 */
export type Say = (id: string, values?: Record<string, string | number>) => RegExp;

const page = resolve(import.meta.dirname, '../../web/src');
const known = new Map<Language, ReadonlyMap<string, string>>();

/**
 * The page's texts in a language, by their English original: a test names a button by
 * what it means and finds it by what the customer reads. A text that the page does not
 * have, or has not translated, is an error.
 */
export function texts(language: Language): Say {
  let catalogue = known.get(language);
  if (!catalogue) {
    catalogue = readCatalogues(language);
    known.set(language, catalogue);
  }
  const found = catalogue;
  return (id, values = {}) => {
    const text = found.get(id);
    if (!text) throw new Error(`the page has no text "${id}" in ${language}`);
    return pattern(text, values);
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

/** The line of a message without forms in a language, as it is written. */
function answerIn(language: Language, key: string): string | undefined {
  for (const file of readdirSync(messages)) {
    const [, after] = `\n${readFileSync(join(messages, file), 'utf8')}`.split(`\n${key}:\n`);
    const [message] = after?.split(/\n(?! )/) ?? [];
    const line = message?.split('\n').find((one) => one.startsWith(`  ${language}: `));
    if (line) return line.slice(language.length + 4);
  }
  return undefined;
}

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

function readCatalogues(language: Language): Map<string, string> {
  const all = new Map<string, string>();
  for (const file of readdirSync(page, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith(join('locales', `${language}.po`))) continue;
    for (const [id, text] of readCatalogue(readFileSync(join(page, file), 'utf8'))) {
      const [context, plain] = id.includes('|') ? id.split('|') : [undefined, id];
      if (context !== undefined && plain && !all.has(plain)) all.set(plain, text);
      all.set(id, text || all.get(id) || '');
    }
  }
  return all;
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
    const context = field('msgctxt');
    if (id) yield [context ? `${context}|${id}` : id, field('msgstr')];
  }
}
