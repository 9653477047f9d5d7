import { useLingui } from '@lingui/react/macro';
import { WheatOff } from 'lucide-react';
import { Chip } from '@/ui/chip';
import { openModal } from '@/ui/modals/modal-store';
import { useAvoided } from './avoided';

/** The button that opens the choice of avoided allergens, with their number. */
export function AvoidedButton() {
  const { t } = useLingui();
  const { length: count } = useAvoided();
  const words = t({ id: 'allergens.avoided-button.i-dont-eat', message: "I don't eat…" });
  return (
    <span className="relative inline-block shrink-0">
      <Chip
        icon={WheatOff}
        aria-haspopup="dialog"
        aria-label={count > 0 ? `${words} ${count}` : undefined}
        onClick={() => openModal('allergens')}
      >
        {words}
      </Chip>
      {/* At the corner, so that nothing moves when the device's choice is known. */}
      {count > 0 && (
        <span
          aria-hidden="true"
          className="numeral pointer-events-none absolute -inset-bs-1 -inset-e-1 min-w-4.5 rounded-full bg-accent px-1 text-center text-[0.6875rem]/4.5 text-on-accent"
        >
          {count}
        </span>
      )}
    </span>
  );
}
