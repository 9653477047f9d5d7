import { Spinner } from '../feedback/spinner';

/** The dark backdrop with a spinner, shown while the chunk of a modal loads. */
export function ModalLoading() {
  return (
    <div className="fixed inset-0 z-50 grid place-items-center bg-scrim text-on-accent">
      <span className="rounded-full bg-surface p-3 text-ink shadow-high">
        <Spinner />
      </span>
    </div>
  );
}
