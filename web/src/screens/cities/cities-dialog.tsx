import { Trans, useLingui } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCityAlias } from '@/entities/city/context';
import { citiesQuery } from '@/entities/city/queries';
import { TextField } from '@/ui/fields/text-field';
import { Sheet } from '@/ui/sheet';
import { citiesByCountry, isNamedLike } from './cities-by-country';
import { CityLinks } from './city-links';

/** With more cities than this the dialog has a search field. */
const manyCities = 8;

/** The dialog that lists the cities by country as links. */
export default function CitiesDialog() {
  const { t } = useLingui();
  const alias = useCityAlias();
  const { data: cities } = useSuspenseQuery(citiesQuery());
  const [words, setWords] = useState('');
  const list = cities.list.filter((city) => isNamedLike(city, words));
  return (
    <Sheet title={t({ id: 'common.choose-city', message: 'Choose a city' })}>
      <div className="grid gap-5">
        {cities.list.length > manyCities && (
          <TextField
            label={t({ id: 'cities.name-of-city', message: 'Name of the city' })}
            type="search"
            autoComplete="off"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        <p role="status" className="text-ink-soft empty:hidden">
          {list.length === 0 && (
            <Trans id="cities.no-such-city">There is no such city. Check the name.</Trans>
          )}
        </p>
        <CityLinks countries={citiesByCountry({ ...cities, list })} current={alias} heading="h3" />
      </div>
    </Sheet>
  );
}
