import type { ModalKind, ModalName, ModalParams } from './modal-names';

/** A modal on the screen or waiting to be shown again. */
export interface OpenModal<Name extends ModalName = ModalName> {
  /** Unique among all modals that were opened. */
  id: number;
  name: Name;
  kind: ModalKind;
  params: ModalParams[Name];
}

export interface ModalState {
  /** Modals of the kinds `default` and `once`: the last is on the screen, the earlier ones wait for it to close. */
  readonly defaults: readonly OpenModal[];
  /** Confirm modals stacked over the last default modal, the last on top. */
  readonly confirms: readonly OpenModal[];
}

export type ModalAction =
  | { type: 'open'; modal: OpenModal }
  /** Closes the modal with this id, also a waiting one; without an id the top modal. */
  | { type: 'close'; id?: number }
  /** Closes from the top until that many are left. */
  | { type: 'backTo'; depth: number }
  | { type: 'closeAll' };

export const noModals: ModalState = { defaults: [], confirms: [] };

/** Returns how many modals are on the screen or waiting to be shown again. */
export const depthOf = (state: ModalState) => state.defaults.length + state.confirms.length;

/** Returns the modals on the screen, from the bottom to the top. */
export function visibleModals({ defaults, confirms }: ModalState): readonly OpenModal[] {
  return [...defaults.slice(-1), ...confirms];
}

/** Returns the state after an action; the same object when nothing changes. */
export function reduceModals(state: ModalState, action: ModalAction): ModalState {
  switch (action.type) {
    case 'open':
      return open(state, action.modal);
    case 'close':
      return close(state, action.id);
    case 'backTo': {
      let next = state;
      while (depthOf(next) > Math.max(0, action.depth)) next = close(next);
      return next;
    }
    case 'closeAll':
      return depthOf(state) === 0 ? state : noModals;
  }
}

/**
 * Opens a confirm modal over the others. Any other modal replaces what is on the screen: the confirm modals close,
 * and the modals below wait until this one closes. Those of the same name or of the kind `once` do not wait; they
 * are dropped.
 */
function open(state: ModalState, modal: OpenModal): ModalState {
  if (modal.kind === 'confirm') return { ...state, confirms: [...state.confirms, modal] };
  const waiting = state.defaults.filter(({ name, kind }) => name !== modal.name && kind !== 'once');
  return { defaults: [...waiting, modal], confirms: [] };
}

/** Closes the modal of that id, or the top one. */
function close(state: ModalState, id?: number): ModalState {
  const { defaults, confirms } = state;
  const top = confirms.at(-1) ?? defaults.at(-1);
  const closing = id ?? top?.id;
  const without = (modals: readonly OpenModal[]) => modals.filter((modal) => modal.id !== closing);
  if (confirms.some((modal) => modal.id === closing)) {
    return { defaults, confirms: without(confirms) };
  }
  if (!defaults.some((modal) => modal.id === closing)) return state;
  // The confirm modals over a modal close with it.
  const wasShown = defaults.at(-1)?.id === closing;
  return { defaults: without(defaults), confirms: wasShown ? [] : confirms };
}
