/**
 * Returns a text in the form that searches compare: lower case, letters without their marks (ё is е, İ and ı are
 * i), ß as ss, ph as f, and without apostrophes, which Uzbek and Ukrainian words contain (oʻ, кешʼю).
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|[ʻʼ'’‘`´′]/gu, '')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ph', 'f');
