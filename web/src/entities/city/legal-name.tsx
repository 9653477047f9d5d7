import { useLingui } from '@lingui/react/macro';
import { useCity } from './context';

interface LegalNameProps {
  name: string;
  inn?: string;
  ogrn?: string;
}

/** The company that sells, with the numbers it is registered under; equal numbers are named once. */
export function LegalName({ name, inn, ogrn }: LegalNameProps) {
  const { t } = useLingui();
  const { country } = useCity();
  // Only Russia's numbers have these names; those of other countries are written without one.
  const numbers =
    country.code === 'RU'
      ? [
          inn && t({ id: 'city.legal-name.inn', message: `INN ${inn}` }),
          ogrn && t({ id: 'city.legal-name.ogrn', message: `OGRN ${ogrn}` }),
        ]
      : [inn, ogrn];
  return [...new Set([name, ...numbers])].filter(Boolean).join(' · ');
}
