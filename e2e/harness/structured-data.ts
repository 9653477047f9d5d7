import { resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import ts from 'typescript';

/** Structured data of schema.org, as JSON, and the name of their document. */
interface Described {
  name: string;
  json: string;
}

const element = /<script type="application\/ld\+json">(.*?)<\/script>/gs;

/** Returns the structured data of each such element of a document. */
export const describedIn = (name: string, html: string): Described[] =>
  [...html.matchAll(element)].map(([, json = '']) => ({ name, json }));

/** Returns the share of structured data in a document's size, both compressed as the server compresses them. */
export function shareOfDescribed(html: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 19 };
  const weigh = (text: string) => brotliCompressSync(text, { params }).length;
  return 1 - weigh(html.replace(element, '')) / weigh(html);
}

/** The name of a file that exists only in memory. Its folder decides which packages it can import. */
const source = resolve(import.meta.dirname, 'structured-data.checked.ts');

/**
 * Returns a line for each property, type or value in structured data that the vocabulary of schema.org does not have.
 * The TypeScript compiler checks each document as a literal of the vocabulary's types. All documents are one program,
 * because reading the vocabulary takes seconds.
 */
export function faultsOfDescribed(documents: readonly Described[]): string[] {
  const lines = documents.map(({ json }, place) => `export const d${place}: Graph = ${json};`);
  const text = [`import type { Graph } from 'schema-dts';`, ...lines].join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === source || fileExists(file);
  host.getSourceFile = (file, version) =>
    file === source ? ts.createSourceFile(file, text, version) : getSourceFile(file, version);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([source], options, host));
  return found.map(({ file, start = 0, messageText }) => {
    const { line = 0, character = 0 } = file?.getLineAndCharacterOfPosition(start) ?? {};
    const name = documents[line - 1]?.name ?? file?.fileName ?? 'the vocabulary';
    const near = lines[line - 1]?.slice(character, character + 80) ?? '';
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300)} (at ${near})`;
  });
}
