import { useLingui } from '@lingui/react/macro';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from '../icon';
import { IconButton } from '../icon-button';
import { dismissFlash, type FlashMessage, flashes, flashTime } from './flash-store';

const tones = {
  info: { icon: Info, text: 'text-accent-ink' },
  success: { icon: CircleCheck, text: 'text-good' },
  warning: { icon: TriangleAlert, text: 'text-warn' },
  error: { icon: CircleAlert, text: 'text-danger' },
};

const none: readonly FlashMessage[] = [];

/** The region of the flash messages, above everything else. Rendered once by the app. */
export function FlashRegion() {
  const { t } = useLingui();
  const messages = useSyncExternalStore(flashes.subscribe, flashes.get, () => none);
  return (
    <section
      aria-label={t({ id: 'ui.flash.messages', message: 'Messages' })}
      aria-live="polite"
      data-flashes
      data-screen-only
      className="pointer-events-none fixed inset-x-0 top-2 z-60 flex flex-col items-center gap-2 px-3"
    >
      {messages.map((message) => (
        <Flash key={message.id} message={message} />
      ))}
    </section>
  );
}

/** A message that dismisses itself after its time; the time does not run while the pointer or the focus is on it. */
function Flash({ message }: { message: FlashMessage }) {
  const { t } = useLingui();
  const { icon, text } = tones[message.tone];
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissFlash(message.id), flashTime);
    return () => clearTimeout(timer);
  }, [isHeld, message.id]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // The handlers only stop the clock while somebody reads; there is nothing to operate.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      className="pointer-events-auto flex w-full max-w-md animate-[appear_var(--motion)_ease-out] items-center gap-3 rounded-card border border-line bg-surface py-1 ps-4 pe-1 text-ink shadow-high"
    >
      <span className={text}>
        <Icon of={icon} />
      </span>
      <p className="min-w-0 flex-1 py-2">{message.text}</p>
      {message.action && (
        <button
          type="button"
          className="min-h-11 rounded-control px-2 text-accent-ink strong"
          onClick={() => {
            message.action?.run();
            dismissFlash(message.id);
          }}
        >
          {message.action.label}
        </button>
      )}
      <IconButton
        icon={X}
        label={t({ id: 'ui.flash.dismiss', message: 'Dismiss' })}
        onClick={() => dismissFlash(message.id)}
      />
    </div>
  );
}
