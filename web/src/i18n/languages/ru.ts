import { type CatalogueModules, type LazyCatalogues, mergeCatalogues } from '../merge';

/** The texts of the first page in this language: those of the frame, of what many screens show, and of what home loads with itself. */
export default mergeCatalogues(
  import.meta.glob(
    [
      '../../{app,ui,entities}/locales/ru.po',
      '../../screens/{home,promo,search,payment-return}/locales/ru.po',
    ],
    {
      eager: true,
    },
  ) as CatalogueModules,
);

/** The texts of the other screens, a chunk for each. */
export const screens = import.meta.glob([
  '../../screens/*/locales/ru.po',
  '!../../screens/{home,promo,search,payment-return}/locales/ru.po',
]) as LazyCatalogues;
