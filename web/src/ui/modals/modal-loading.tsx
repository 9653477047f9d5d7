import { Spinner } from '../feedback/spinner';

/** Darkens the page at once while the chunk of a modal is on its way. */
export function ModalLoading() {
  return (
    <div className="fixed inset-0 z-50 grid place-items-center bg-scrim text-on-accent">
      <span className="rounded-full bg-surface p-3 text-ink shadow-high">
        <Spinner />
      </span>
    </div>
  );
}
