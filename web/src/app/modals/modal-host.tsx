import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { ApiFault } from '@/api/result';
import { isChunkFailure } from '@/ui/feedback/chunk-failures';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';
import { showFailure } from '@/ui/feedback/show-failure';
import { ModalFrameContext } from '@/ui/modals/modal-frame';
import { ModalLoading } from '@/ui/modals/modal-loading';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';
import { noModals, type OpenModal, visibleModals } from '@/ui/modals/modal-state';
import { closeModal, modals, openModal } from '@/ui/modals/modal-store';
import { useAskedCart } from './asked-cart';
import { connectModalsToHistory } from './modal-history';
import { registry } from './registry';

type AnyModal = ComponentType<ModalParams[ModalName]>;

const loaded = new Map<ModalName, AnyModal>();

/**
 * Returns the component of a modal, which loads its chunk when it is first rendered; the same one
 * each time.
 */
function componentOf(name: ModalName): AnyModal {
  const known = loaded.get(name);
  if (known) return known;
  // The store pairs each name with its own params, which the compiler can't see through the union.
  const component = lazy(registry[name].load as () => Promise<{ default: AnyModal }>);
  loaded.set(name, component);
  return component;
}

/** Shows the open modals, keeps the browser's history in step and opens what the address asks for. */
export function ModalHost() {
  const state = useSyncExternalStore(modals.subscribe, modals.get, () => noModals);
  useEffect(() => {
    const stop = connectModalsToHistory(modals);
    openFromQuery(new URLSearchParams(location.search));
    return stop;
  }, []);
  useAskedCart();
  const visible = visibleModals(state);
  return visible.map((modal, index) => (
    <ShownModal key={modal.id} modal={modal} isTop={index === visible.length - 1} />
  ));
}

/** One open modal, in a frame that closes it. */
function ShownModal({ modal, isTop }: { modal: OpenModal; isTop: boolean }) {
  const Modal = componentOf(modal.name);
  const close = () => closeModal(modal.id);
  return (
    <ModalFrameContext value={{ name: modal.name, close, isTop }}>
      <ErrorBoundary fallback={(error) => <BrokenModal error={error} modal={modal} />}>
        <Suspense fallback={<ModalLoading />}>
          <Modal {...modal.params} />
        </Suspense>
      </ErrorBoundary>
    </ModalFrameContext>
  );
}

/** Closes a modal that cannot be shown, and shows why. A missing chunk has been shown already. */
function BrokenModal({ error, modal }: { error: Error; modal: OpenModal }) {
  useEffect(() => {
    // The next opening of the modal loads the chunk again.
    loaded.delete(modal.name);
    closeModal(modal.id);
    if (isChunkFailure(error)) return;
    showFailure(error instanceof ApiFault ? error.failure : { kind: 'offline' });
  }, [error, modal]);
  return null;
}

const isRegistered = (name: string): name is ModalName => Object.hasOwn(registry, name);

/** Opens the modal that the address asks for, if an address may open it. */
function openFromQuery(query: URLSearchParams) {
  const name = query.get('modal');
  if (!name || !isRegistered(name)) return;
  const params = registry[name].fromQuery?.(query);
  // The registry pairs each name with its own params, which the compiler can't see through the union.
  if (params) openModal(name, params as never);
}
