import { type CatalogueModules, mergeCatalogues } from '../merge';

/** Every compiled catalogue of this language, in one chunk. */
export default mergeCatalogues(
  import.meta.glob('../../**/locales/uk.po', { eager: true }) as CatalogueModules,
);
