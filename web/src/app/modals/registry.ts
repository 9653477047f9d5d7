import type { ComponentType } from 'react';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';

/** How a modal is had: its chunk, and its params when the address asks for it with `?modal=name`. */
export interface ModalEntry<Name extends ModalName> {
  load: () => Promise<{ default: ComponentType<ModalParams[Name]> }>;
  /** Reads the params from the query; null when they are not there. Without it the address can't open the modal. */
  fromQuery?: (query: URLSearchParams) => ModalParams[Name] | null;
}

/** The modals that exist. A feature adds one line for each of its own. */
export const registry: { [Name in ModalName]?: ModalEntry<Name> } = {
  'server-error': { load: () => import('./server-error') },
};
