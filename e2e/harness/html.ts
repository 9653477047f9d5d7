import { HtmlValidate } from 'html-validate';

/** Rules that are off everywhere. */
const rules = {
  // Spelling that means the same to every browser, as React and the browser itself write it.
  'attr-case': 'off',
  'attribute-boolean-style': 'off',
  'attribute-empty-style': 'off',
  'doctype-style': 'off',
  'void-style': 'off',
  // Scripts and styles come from the server of the document itself.
  'require-sri': 'off',
  // A phone is shown as the content writes it.
  'tel-non-breaking': 'off',
  // Ids of React begin with an underscore.
  'valid-id': 'off',
} as const;

/** Rules that are also off for documents that scripts have changed. */
const rulesOfScripts = {
  // Scripts may set styles. In served documents the security policy forbids them.
  'no-inline-style': 'off',
  // Markers of Leaflet are pictures with the role of a button.
  'prefer-native-element': 'off',
} as const;

const presets = ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'];
const served = new HtmlValidate({ root: true, extends: presets, rules });
const filled = new HtmlValidate({ root: true, extends: presets, rules: { ...rules, ...rulesOfScripts } });

/** Returns the faults of a document as it was served, a line for each rule that it breaks. */
export const faultsOfServed = (name: string, html: string) => faultsOf(served, name, html);

/** Returns the faults of a document that scripts have changed, a line for each rule that it breaks. */
export const faultsOfFilled = (name: string, html: string) => faultsOf(filled, name, html);

/** Returns a line for each rule that the document breaks, with the first place. */
async function faultsOf(checker: HtmlValidate, name: string, html: string): Promise<string[]> {
  const { results } = await checker.validateString(html);
  const found = new Map<string, string>();
  for (const { ruleId, message, selector, line } of results.flatMap(({ messages }) => messages)) {
    if (!found.has(ruleId)) found.set(ruleId, `${name}: ${ruleId}: ${message} (${selector ?? `line ${line}`})`);
  }
  return [...found.values()];
}
