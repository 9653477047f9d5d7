import { Trans, useLingui } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import type { Schema } from '@/api/types';
import { useDistance } from '@/entities/city/use-distance';
import { useIsChoosing } from '@/entities/place-choice/choose';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { isStopped } from './shop-search';

interface ShopCardProps {
  shop: Schema<'Shop'>;
  /** Metres from the visitor or their address. */
  distance?: number;
  isChosen?: boolean;
  isBusy?: boolean;
  /** Called for a press; without it the card only shows the shop. */
  onPress?: () => void;
  /** The level of the name as a heading. */
  heading?: 'h2' | 'h3';
}

/**
 * A shop with its name, street, whether it is open, its distance, and the button that chooses it, except for a
 * stopped shop. The button is disabled while another place is being chosen.
 */
export function ShopCard({
  shop,
  distance,
  isChosen = false,
  isBusy = false,
  onPress,
  heading: Heading = 'h3',
}: ShopCardProps) {
  const { t } = useLingui();
  const metres = useDistance();
  const isChoosing = useIsChoosing();
  const { name, address, open_state: state, alert } = shop;
  return (
    <article
      className={classes(
        'flex flex-wrap items-center justify-end gap-3 rounded-[min(var(--radius-card),16px)] border-[length:var(--line-width)] px-3.5 py-3',
        isChosen ? 'border-accent-ink bg-tint text-on-tint' : 'border-line bg-surface',
      )}
    >
      <div className="min-w-0 grow basis-30">
        <Heading className="strong">{name}</Heading>
        <p className="text-note">{address.street}</p>
        {address.description && <p className="text-note opacity-85">{address.description}</p>}
        <p className="mt-1 flex flex-wrap gap-x-2 text-note">
          {!isStopped(shop) && (
            <span className={state.open ? 'text-good' : 'text-warn'}>{state.text}</span>
          )}
          {distance !== undefined && <span className="numeral">{metres(distance)}</span>}
        </p>
        {alert && <p className="mt-1 text-note text-warn">{alert}</p>}
      </div>
      {onPress && !isStopped(shop) && (
        <Button
          look="secondary"
          size="small"
          icon={isChosen ? Check : undefined}
          busy={isBusy}
          disabled={isChoosing && !isBusy}
          aria-pressed={isChosen}
          aria-label={
            isChosen
              ? t({ id: 'place.shops.chosen-named', message: `Chosen: ${name}` })
              : t({ id: 'place.shops.choose-named', message: `Choose: ${name}` })
          }
          onClick={onPress}
        >
          {isChosen ? (
            <Trans id="place.shops.chosen">Chosen</Trans>
          ) : (
            <Trans id="place.shops.choose">Choose</Trans>
          )}
        </Button>
      )}
    </article>
  );
}
