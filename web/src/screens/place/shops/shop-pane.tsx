import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { LocateFixed, Search, Store } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { shopsQuery } from '@/entities/city/queries';
import { Button } from '@/ui/button';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { TextField } from '@/ui/fields/text-field';
import { Icon } from '@/ui/icon';
import { usePosition } from '../position';
import { ShopCard } from './shop-card';
import { findShops, takeawayShops } from './shop-search';

interface ShopPaneProps {
  chosenId: number | undefined;
  /** The shop whose choice is being sent. */
  busyId: number | undefined;
  /** Called with a pressed shop; without it no shop can be chosen. */
  onChoose?: (shop: Schema<'Shop'>) => void;
  /** Called when the chosen shop is pressed again. */
  onKeep: () => void;
  /** The level of the shops' names as headings. */
  heading?: 'h2' | 'h3';
}

/**
 * The list of the city's shops for takeaway with a search by name or street; the nearest first once the position
 * is known.
 */
export function ShopPane({ chosenId, busyId, onChoose, onKeep, heading }: ShopPaneProps) {
  const { t } = useLingui();
  const city = useCity();
  const { data: shops, isError, refetch } = useQuery(shopsQuery(city.id));
  const { position, isLooking, find } = usePosition();
  const [text, setText] = useState('');
  const found = useMemo(
    () => findShops(takeawayShops(shops ?? [], city), text, position),
    [shops, city, text, position],
  );

  if (isError) {
    return (
      <EmptyState
        icon={Store}
        title={<Trans id="place.shops.shops-did-not-load">The shops did not load</Trans>}
        action={
          <Button onClick={() => void refetch()}>
            {t({ id: 'common.try-again', message: 'Try again' })}
          </Button>
        }
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <TextField
        type="search"
        label={t({ id: 'place.shops.shop-or-street', message: 'Shop or street' })}
        hideLabel
        placeholder={t({ id: 'place.shops.shop-or-street', message: 'Shop or street' })}
        prefix={<Icon of={Search} />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!position && (
        <span>
          <Button
            look="quiet"
            size="small"
            icon={LocateFixed}
            busy={isLooking}
            onClick={() => void find()}
          >
            <Trans id="place.shops.show-nearest-first">Show the nearest first</Trans>
          </Button>
        </span>
      )}
      <p role="status" className="sr-only">
        {text && (
          <Plural
            id="place.shops.shops-found"
            value={found.length}
            one="# shop found"
            other="# shops found"
          />
        )}
      </p>
      {shops === undefined && <Skeleton shape="button" count={4} />}
      <ul className="flex flex-col gap-2">
        {found.map(({ shop, distance }) => (
          <li key={shop.id}>
            <ShopCard
              shop={shop}
              heading={heading}
              distance={distance}
              isChosen={shop.id === chosenId}
              isBusy={shop.id === busyId}
              onPress={onChoose && (() => (shop.id === chosenId ? onKeep() : onChoose(shop)))}
            />
          </li>
        ))}
      </ul>
      {shops !== undefined && found.length === 0 && (
        <p className="py-6 text-center text-ink-soft">
          <Trans id="place.shops.no-shop-matches">
            No shop matches. Try another name or street.
          </Trans>
        </p>
      )}
    </div>
  );
}
