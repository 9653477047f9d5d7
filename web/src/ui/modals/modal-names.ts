/** The parameters of a modal that has none. */
export type NoParams = Record<never, never>;

/**
 * The parameters of every modal by its name. The kit has only this modal; the app adds the others by declaration
 * merging, in `src/app/modals/modal-params.ts`.
 */
export interface ModalParams {
  'server-error': { message: string; reference?: string };
}

export type ModalName = keyof ModalParams;

/**
 * How a modal relates to others. A `confirm` is stacked over another modal. Any other kind replaces the modal on
 * the screen; the replaced modal is shown again afterwards unless its kind is `once` or its name is the same.
 */
export type ModalKind = 'default' | 'once' | 'confirm';

const kinds = new Map<ModalName, ModalKind>([['server-error', 'confirm']]);

/** Sets the kind of a modal; must be called before it opens for the first time. */
export const setModalKind = (name: ModalName, kind: ModalKind) => void kinds.set(name, kind);

/** Returns the kind of a modal; `default` when none was set. */
export const modalKind = (name: ModalName): ModalKind => kinds.get(name) ?? 'default';
