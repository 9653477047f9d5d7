import { Check } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { joinIds } from './join-ids';

interface CheckboxProps
  extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'type' | 'children'> {
  /** The name of the checkbox. */
  label: ReactNode;
  /** Smaller words under the label that describe the checkbox and are no part of its name. */
  note?: ReactNode;
}

/**
 * A checkbox whose label is part of the touch target. It is drawn in the brand's colours, because browsers
 * differ in dark themes; with forced colours the browser draws it.
 */
export function Checkbox({
  label,
  note,
  'aria-describedby': describedBy,
  ...input
}: CheckboxProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-[12px] py-2">
      <span className="relative mt-0.5 size-5 shrink-0">
        <input
          {...input}
          type="checkbox"
          aria-labelledby={id}
          aria-describedby={joinIds(describedBy, note ? noteId : undefined)}
          className="peer block size-5 cursor-[inherit] appearance-none rounded-[min(var(--radius-chip),6px)] border-2 border-edge bg-surface transition-colors duration-(--motion-fast) checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:border-line forced-colors:appearance-auto"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0.5 size-4 text-on-accent opacity-0 peer-checked:opacity-100 forced-colors:hidden"
        />
      </span>
      <span className="min-w-0">
        <span id={id}>{label}</span>
        {note && (
          <span id={noteId} className="block text-note text-ink-soft">
            {note}
          </span>
        )}
      </span>
    </label>
  );
}
