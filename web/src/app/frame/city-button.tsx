import { useLingui } from '@lingui/react/macro';
import { MapPin } from 'lucide-react';
import { useCity } from '@/entities/city/context';
import { Icon } from '@/ui/icon';
import { openModal } from '@/ui/modals/modal-store';

/** The button with the city of the page; a press opens the choice of another. */
export function CityButton() {
  const { t } = useLingui();
  const { name } = useCity();
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={t({ id: 'app.frame.city-name', message: `City: ${name}` })}
      onClick={() => openModal('cities')}
      className="flex min-h-11 min-w-0 items-center gap-1 rounded-control px-1 desktop:px-2 hover:bg-raised"
    >
      {/* On a narrow phone the name needs all the room. */}
      <span className="hidden min-[360px]:inline-flex">
        <Icon of={MapPin} size="small" />
      </span>
      <span data-shortened className="truncate max-[359px]:text-note">
        {name}
      </span>
    </button>
  );
}
