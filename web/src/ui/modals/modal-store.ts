import { createStore } from '@/lib/store';
import { type ModalName, type ModalParams, modalKind, type NoParams } from './modal-names';
import { type ModalAction, noModals, type OpenModal, reduceModals } from './modal-state';

/** The store of the page's modals, which the modal host shows. */
export const modals = createStore(noModals);

let lastId = 0;

/** Applies an action to the store. */
const apply = (action: ModalAction) => modals.set(reduceModals(modals.get(), action));

type ParamsOf<Name extends ModalName> = NoParams extends ModalParams[Name]
  ? [params?: ModalParams[Name]]
  : [params: ModalParams[Name]];

/** Opens a modal by name: `openModal('product', { productKey })`. Returns its id. */
export function openModal<Name extends ModalName>(name: Name, ...[params]: ParamsOf<Name>): number {
  lastId += 1;
  const modal: OpenModal<Name> = {
    id: lastId,
    name,
    kind: modalKind(name),
    params: params ?? ({} as ModalParams[Name]),
  };
  apply({ type: 'open', modal });
  return lastId;
}

/** Closes the modal with that id, or the top one. Nothing happens when it is closed already. */
export function closeModal(id?: number): void {
  apply({ type: 'close', id });
}

/** Closes from the top until that many are left. */
export function closeModalsTo(depth: number): void {
  apply({ type: 'backTo', depth });
}

/** Closes every modal. */
export function closeAllModals(): void {
  apply({ type: 'closeAll' });
}
