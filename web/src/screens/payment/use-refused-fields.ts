import { useEffect, useEffectEvent } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { serverError } from '@/lib/forms';

/**
 * Shows a refusal at its fields when the form comes back after the refusal; the first wrong field gets
 * the focus.
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
