import { type ComponentPropsWithRef, useId } from 'react';
import { classes } from '../classes';
import { FieldFrame, type FieldText, fieldBox, noteId } from './field-frame';

interface TextAreaProps
  extends FieldText,
    Omit<ComponentPropsWithRef<'textarea'>, 'className' | 'style'> {}

/** A field for several lines of text, which grows with the text in browsers that support that. */
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
          // A growing box ignores `rows` and starts with one row.
          rows > 2 && 'min-h-28',
        )}
      />
    </FieldFrame>
  );
}
