import { type ComponentPropsWithRef, useId } from 'react';
import { classes } from '../classes';
import { FieldFrame, type FieldText, fieldBox, noteId } from './field-frame';

interface TextAreaProps
  extends FieldText,
    Omit<ComponentPropsWithRef<'textarea'>, 'className' | 'style'> {}

/** A few lines of text; grows with what is typed where the browser can. */
export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  id: givenId,
  rows = 2,
  ...area
}: TextAreaProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const { required } = area;
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error, required }}>
      <textarea
        {...area}
        rows={rows}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={noteId(id)}
        className={classes(
          fieldBox(Boolean(error)),
          'resize-y field-sizing-content',
          // A box that grows starts with one row, whatever its rows say.
          rows > 2 && 'min-h-28',
        )}
      />
    </FieldFrame>
  );
}
