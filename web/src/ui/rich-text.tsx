/**
 * A text with emphasis, lists and links. The HTML was cleaned when the content was imported: it has only a few
 * elements and no attributes but https addresses.
 */
export function RichText({ html }: { html: string }) {
  return (
    <div
      className="grid grid-cols-1 gap-3 [&_a]:text-accent-ink [&_a]:underline [&_a]:underline-offset-3 [&_ol]:list-decimal [&_ol]:ps-5 [&_strong]:strong [&_ul]:list-disc [&_ul]:ps-5"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
