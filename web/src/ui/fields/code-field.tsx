import { type ComponentPropsWithRef, useId } from 'react';
import { classes } from '../classes';
import { FieldFrame, type FieldText, noteId } from './field-frame';

interface CodeFieldProps
  extends FieldText,
    Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'onChange' | 'value' | 'type'> {
  /** How many digits the code has. */
  length: number;
  value: string;
  /** Called with the whole typed text, unchecked. */
  onChange: (text: string) => void;
}

/**
 * A code of digits: one field that looks like a box for each digit, so that pasting, autofill and
 * screen readers work as in any other field.
 */
export function CodeField({
  label,
  hideLabel,
  hint,
  error,
  length,
  value,
  onChange,
  id: givenId,
  ...input
}: CodeFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const isOff = input.disabled || input.readOnly;
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      <span
        className={classes(
          'group relative flex w-full max-w-72 gap-2 rounded-[min(var(--radius-control),16px)] outline-offset-4 outline-accent-ink',
          'focus-within:outline-3',
        )}
      >
        {Array.from({ length }, (_, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is nothing but its place
            key={place}
            aria-hidden="true"
            className={classes(
              'numeral grid h-14 min-w-0 flex-1 place-items-center rounded-[min(var(--radius-control),16px)] border-[length:var(--line-width)] text-title',
              isOff ? 'bg-raised text-ink-soft' : 'bg-surface text-ink',
              error ? 'border-danger' : 'border-edge',
              place === Math.min(value.length, length - 1) &&
                'group-focus-within:border-accent-ink group-focus-within:border-2',
            )}
          >
            {value[place] ?? ''}
          </span>
        ))}
        <input
          {...input}
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          // The boxes show no caret, so the caret always stays at the end.
          onSelect={({ currentTarget: box }) => {
            const { selectionStart: start, selectionEnd: end } = box;
            const last = box.value.length;
            if (start === end && start !== last) box.setSelectionRange(last, last);
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={noteId(id)}
          className="absolute inset-0 size-full cursor-text text-lead opacity-0 disabled:cursor-not-allowed"
        />
      </span>
    </FieldFrame>
  );
}
