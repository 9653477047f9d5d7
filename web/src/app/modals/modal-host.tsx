import { type ComponentType, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiFault } from '@/api/result';
import { isChunkFailure } from '@/ui/feedback/chunk-failures';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';
import { showFailure } from '@/ui/feedback/show-failure';
import { ModalFrameContext } from '@/ui/modals/modal-frame';
import { ModalLoading } from '@/ui/modals/modal-loading';
import type { ModalName, ModalParams } from '@/ui/modals/modal-names';
import { depthOf, noModals, type OpenModal, visibleModals } from '@/ui/modals/modal-state';
import { closeModal, modals } from '@/ui/modals/modal-store';
import { useAskedCart } from './asked-cart';
import { connectModalsToHistory } from './modal-history';
import './modal-kinds';

type AnyModal = ComponentType<ModalParams[ModalName]>;

/** Loads the list of all modals, which the first view does not need: it names some thirty chunks. */
const loadRegistry = () => import('./registry');

/** Loads the component of a modal. */
async function loadModal(name: ModalName): Promise<AnyModal> {
  const { registry } = await loadRegistry();
  // The store pairs each name with its own params, which the compiler can't see through the union.
  const load = registry[name].load as () => Promise<{ default: AnyModal }>;
  return (await load()).default;
}

/** The components of the modals that have loaded. */
const loaded = new Map<ModalName, AnyModal>();

/**
 * Returns the component of a modal, undefined while it loads. It throws the error of a failed load. React's `lazy`
 * would show the loading for at least 300 ms, however soon the chunk is there.
 */
function useModalComponent(name: ModalName): AnyModal | undefined {
  const [{ component, error }, setState] = useState<{ component?: AnyModal; error?: Error }>(
    () => ({ component: loaded.get(name) }),
  );
  useEffect(() => {
    if (component) return;
    let isGone = false;
    loadModal(name).then(
      (modal) => {
        loaded.set(name, modal);
        if (!isGone) setState({ component: modal });
      },
      (reason: Error) => {
        if (!isGone) setState({ error: reason });
      },
    );
    return () => {
      isGone = true;
    };
  }, [name, component]);
  if (error) throw error;
  return component;
}

/**
 * The open modals. It connects them to the browser's history and opens the modal or the cart that the address
 * names.
 */
export function ModalHost() {
  const state = useSyncExternalStore(modals.subscribe, modals.get, () => noModals);
  useEffect(() => {
    const stop = connectModalsToHistory(modals);
    let isGone = false;
    // Loaded at once, so that the first press does not wait for it. A press asks again for what is lost, and a modal
    // that is open by then stays.
    loadRegistry().then(
      ({ openFromAddress }) => {
        if (!isGone && depthOf(modals.get()) === 0) openFromAddress();
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  useAskedCart();
  const visible = visibleModals(state);
  return visible.map((modal, index) => (
    <ShownModal key={modal.id} modal={modal} isTop={index === visible.length - 1} />
  ));
}

/** One open modal, in a frame that closes it. */
function ShownModal({ modal, isTop }: { modal: OpenModal; isTop: boolean }) {
  const close = () => closeModal(modal.id);
  return (
    <ModalFrameContext value={{ name: modal.name, close, isTop }}>
      <ErrorBoundary fallback={(error) => <BrokenModal error={error} modal={modal} />}>
        <Suspense fallback={<ModalLoading />}>
          <LoadedModal modal={modal} />
        </Suspense>
      </ErrorBoundary>
    </ModalFrameContext>
  );
}

/** The modal itself, or that it loads. */
function LoadedModal({ modal }: { modal: OpenModal }) {
  const Modal = useModalComponent(modal.name);
  return Modal ? <Modal {...modal.params} /> : <ModalLoading />;
}

/**
 * Renders nothing: closes a modal that cannot be shown, and shows the failure; an error that is no failed call is
 * shown as a lost connection. A lost chunk is reported elsewhere.
 */
function BrokenModal({ error, modal }: { error: Error; modal: OpenModal }) {
  useEffect(() => {
    closeModal(modal.id);
    if (isChunkFailure(error)) return;
    showFailure(error instanceof ApiFault ? error.failure : { kind: 'offline' });
  }, [error, modal]);
  return null;
}
