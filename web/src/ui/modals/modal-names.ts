/** The parameters of a modal that has none. */
export type NoParams = Record<never, never>;

/**
 * Every modal with its parameters. This is the kit's own one; the app adds the others by declaration
 * merging, in `src/app/modals/modal-params.ts`.
 */
export interface ModalParams {
  'server-error': { message: string; reference?: string };
}

export type ModalName = keyof ModalParams;

/**
 * How a modal relates to others. A `confirm` stacks over another modal. Any other kind replaces the modal
 * before, which is shown again afterwards unless its kind is `once`.
 */
export type ModalKind = 'default' | 'once' | 'confirm';

const kinds = new Map<ModalName, ModalKind>([['server-error', 'confirm']]);

/** Sets the kind of a modal; must be called before it opens for the first time. */
export const setModalKind = (name: ModalName, kind: ModalKind) => void kinds.set(name, kind);

/** Returns the kind of a modal. */
export const modalKind = (name: ModalName): ModalKind => kinds.get(name) ?? 'default';
