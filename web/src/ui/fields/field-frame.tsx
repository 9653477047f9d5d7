import type { ReactNode } from 'react';
import { classes } from '../classes';

export interface FieldText {
  label: ReactNode;
  /** Shows the label to screen readers only; for fields whose purpose the page makes clear. */
  hideLabel?: boolean;
  /** Shown under the field all the time. */
  hint?: ReactNode;
  /** The error and how to correct it; replaces the hint. */
  error?: ReactNode;
}

interface FieldFrameProps extends FieldText {
  id: string;
  required?: boolean;
  children: ReactNode;
}

/** The frame that all fields share: the label, the field from `children`, the hint or error. */
export function FieldFrame({
  id,
  label,
  hideLabel,
  hint,
  error,
  required,
  children,
}: FieldFrameProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label id={labelId(id)} htmlFor={id} className={hideLabel ? 'sr-only' : 'text-note strong'}>
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children}
      <p
        id={noteId(id)}
        aria-live="polite"
        className={classes('text-note empty:hidden', error ? 'text-danger' : 'text-ink-soft')}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

/** Returns the id of the label of the field `id`, for `aria-labelledby`. */
export const labelId = (id: string) => `${id}-label`;

/** Returns the id of the hint or error of the field `id`, for `aria-describedby`. */
export const noteId = (id: string) => `${id}-note`;

/**
 * Returns the classes of the box of a text field. Their radius is bounded, because fully round corners would cut
 * long texts.
 */
export const fieldBox = (invalid = false) =>
  classes(
    'w-full rounded-[min(var(--radius-control),16px)] border-[length:var(--line-width)] bg-surface px-3.5 py-2.5 text-body text-ink',
    'placeholder:text-ink-soft disabled:cursor-not-allowed disabled:bg-raised [&[readonly]]:bg-raised',
    invalid ? 'border-danger' : 'border-edge',
  );
