import type { ComponentPropsWithRef, ReactNode } from 'react';

interface CheckboxProps
  extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'type' | 'children'> {
  label: ReactNode;
  /** Smaller words under the label. */
  note?: ReactNode;
}

/** A box to tick, with its words as part of the target. */
export function Checkbox({ label, note, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
      <input {...input} type="checkbox" className="mt-0.5 size-5 shrink-0 accent-accent-ink" />
      <span className="min-w-0">
        {label}
        {note && <span className="block text-note text-ink-soft">{note}</span>}
      </span>
    </label>
  );
}
