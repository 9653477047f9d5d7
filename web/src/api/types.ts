import type { components } from './schema';

/** A type of the contract by its name there: `Schema<'Product'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
