import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { classes } from '../classes';
import { FieldFrame, type FieldText, fieldBox, noteId } from './field-frame';

export interface TextFieldProps
  extends FieldText,
    Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'prefix'> {
  /** A sign or icon before the text, inside the box. */
  prefix?: ReactNode;
}

/** A field for one line of text. It takes all props of an input, such as `{...register('name')}`. */
export function TextField({
  label,
  hideLabel,
  hint,
  error,
  prefix,
  id: givenId,
  type = 'text',
  ...input
}: TextFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const { required } = input;
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error, required }}>
      <span className="relative block">
        {prefix && (
          <span className="pointer-events-none absolute inset-y-0 start-3.5 grid place-items-center text-ink-soft">
            {prefix}
          </span>
        )}
        <input
          {...input}
          id={id}
          type={type}
          aria-invalid={error ? true : undefined}
          aria-describedby={noteId(id)}
          className={classes(fieldBox(Boolean(error)), 'min-h-12', Boolean(prefix) && 'ps-10')}
        />
      </span>
    </FieldFrame>
  );
}
