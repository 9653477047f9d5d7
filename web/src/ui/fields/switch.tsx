import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';

interface SwitchProps
  extends Omit<
    ComponentPropsWithRef<'input'>,
    'className' | 'style' | 'type' | 'role' | 'children' | 'id'
  > {
  label: ReactNode;
  /** A smaller text under the label. */
  note?: ReactNode;
}

/** A switch that takes effect at once; its label is part of the touch target. */
export function Switch({ label, note, ...input }: SwitchProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="flex items-start justify-between gap-3 py-2">
      <span className="min-w-0">
        <label htmlFor={id} className="block cursor-pointer strong">
          {label}
        </label>
        {note && (
          <span id={noteId} className="block text-note text-ink-soft">
            {note}
          </span>
        )}
      </span>
      <span className="relative isolate inline-grid h-7 w-12 shrink-0 items-center rounded-full target">
        <input
          {...input}
          id={id}
          type="checkbox"
          role="switch"
          aria-checked={input.checked}
          aria-describedby={note ? noteId : undefined}
          className="peer absolute inset-0 z-10 cursor-pointer appearance-none rounded-full border-2 border-edge bg-raised transition-colors duration-(--motion-fast) checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:border-line"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none relative z-20 ms-1.5 size-4 rounded-full bg-edge transition-transform duration-(--motion-fast) peer-checked:transform-[translateX(1.25rem)] peer-checked:bg-on-accent peer-disabled:bg-line forced-colors:bg-[ButtonText]"
        />
      </span>
    </div>
  );
}
