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
 * How a modal relates to others: a `confirm` stacks over another, any other takes the place of the
 * one before, which is shown again when it closes, unless it was to be shown `once`.
 */
export type ModalKind = 'default' | 'once' | 'confirm';

const kinds = new Map<ModalName, ModalKind>([['server-error', 'confirm']]);

/** Sets the kind of a modal; must be called before it opens for the first time. */
export const setModalKind = (name: ModalName, kind: ModalKind) => void kinds.set(name, kind);

/** Returns how a modal is laid over the page. */
export const modalKind = (name: ModalName): ModalKind => kinds.get(name) ?? 'default';
