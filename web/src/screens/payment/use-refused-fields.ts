import { useEffect, useEffectEvent } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { serverError } from '@/lib/forms';

/**
 * Shows the errors of `refused` at their fields when the form mounts again after a refusal, and focuses the
 * first wrong field.
 */
export function useRefusedFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  refused: Readonly<Partial<Record<Path<Values>, string>>>,
): void {
  const show = useEffectEvent(() => {
    const found = Object.entries<string | undefined>(refused).filter(([, message]) => message);
    for (const [place, [name, message]] of found.entries()) {
      const error = { type: serverError, message };
      form.setError(name as Path<Values>, error, { shouldFocus: place === 0 });
    }
  });
  useEffect(() => show(), []);
}
