import { Trans } from '@lingui/react/macro';
import { TriangleAlert } from 'lucide-react';
import type { Schema } from '@/api/types';
import { Icon } from '@/ui/icon';
import { useAvoidedIn } from './avoided';

interface AllergenWarningProps {
  /** All allergens of the dish. */
  allergens: readonly Schema<'Allergen'>[];
}

/** Names the allergens of a dish that the visitor avoids; nothing when there are none. */
export function AllergenWarning({ allergens }: AllergenWarningProps) {
  const found = useAvoidedIn(allergens);
  if (found.length === 0) return null;
  const names = found.map(({ name }) => name).join(', ');
  return (
    <span className="flex items-start gap-1 text-note strong text-warn">
      <Icon of={TriangleAlert} size="small" />
      <span className="min-w-0">
        <Trans id="allergens.allergen-warning.contains">Contains {names}</Trans>
      </span>
    </span>
  );
}
