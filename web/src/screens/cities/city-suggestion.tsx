import { Trans, useLingui } from '@lingui/react/macro';
import { LocateFixed, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Schema } from '@/api/types';
import { useLastCity } from '@/entities/city/remembered-city';
import { Button } from '@/ui/button';
import { flash } from '@/ui/flash/flash-store';
import { useWhileShown } from '@/ui/hooks/use-while-shown';
import { IconButton } from '@/ui/icon-button';
import { ButtonLink } from '@/ui/link';
import { nearestCity } from './nearest-city';

/**
 * The offer below the list to open the city of the last visit, or to find the nearest city. It stays in view
 * while a long list scrolls. The cross closes it.
 */
export function CitySuggestion({ cities }: { cities: readonly Schema<'CityBrief'>[] }) {
  const { t } = useLingui();
  const [isDismissed, setDismissed] = useState(false);
  const [nearest, setNearest] = useState<Schema<'CityBrief'>>();
  const noteId = useId();
  const lastAlias = useLastCity();
  const city = nearest ?? cities.find((one) => one.alias === lastAlias);
  // One city is the nearest wherever the visitor is.
  if (isDismissed || (!city && cities.length === 1)) return null;
  return (
    <section
      aria-label={t({ id: 'cities.suggestion.suggested-city', message: 'Suggested city' })}
      className="sticky inset-be-[calc(1rem+env(safe-area-inset-bottom))] z-30 mt-8 rounded-card hairline bg-surface noscript:hidden shadow-high"
    >
      <div className="flex flex-wrap items-center gap-3 px-[16px] py-3">
        {city ? (
          <>
            <p id={noteId} className="min-w-0 grow basis-32">
              {nearest ? (
                <Trans id="cities.suggestion.nearest-city">The nearest city:</Trans>
              ) : (
                <Trans id="cities.suggestion.last-city">Your last city:</Trans>
              )}{' '}
              <span className="strong">{city.name}</span>
            </p>
            <ButtonLink
              ref={(link) => {
                // The button that was pressed is gone.
                if (nearest) link?.focus();
              }}
              aria-describedby={noteId}
              href={`/${city.alias}`}
            >
              <Trans id="common.go-to-menu">Go to the menu</Trans>
            </ButtonLink>
          </>
        ) : (
          <div className="min-w-0 grow basis-40 hyphens-auto wrap-anywhere">
            <FindNearest cities={cities} onFound={setNearest} />
          </div>
        )}
        <IconButton
          icon={X}
          label={t({ id: 'common.close', message: 'Close' })}
          onClick={() => setDismissed(true)}
        />
      </div>
    </section>
  );
}

interface FindNearestProps {
  cities: readonly Schema<'CityBrief'>[];
  onFound: (city: Schema<'CityBrief'>) => void;
}

/**
 * The button that locates the visitor by the browser and calls `onFound` with the nearest city; it shows why
 * that failed.
 */
function FindNearest({ cities, onFound }: FindNearestProps) {
  const { t } = useLingui();
  const [isLooking, setLooking] = useState(false);
  const fail = useWhileShown(() => {
    setLooking(false);
    flash(
      t({
        id: 'cities.suggestion.could-not-tell-where',
        message: 'We could not tell where you are. Choose a city from the list.',
      }),
      { tone: 'info' },
    );
  });
  const findNearest = () => {
    // Missing on pages without https.
    if (!navigator.geolocation) {
      fail();
      return;
    }
    setLooking(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const city = nearestCity(cities, coords);
        if (city) onFound(city);
        else fail();
      },
      fail,
      { timeout: 10_000, maximumAge: 600_000 },
    );
  };
  return (
    <Button look="secondary" wide icon={LocateFixed} busy={isLooking} onClick={findNearest}>
      <Trans id="cities.suggestion.find-nearest-city">Find the nearest city</Trans>
    </Button>
  );
}
