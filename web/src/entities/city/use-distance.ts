import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';
import { roundedDistance } from './distance';

/** Returns a function that formats metres in the page's language: `350 m`, `1.2 km`. */
export function useDistance(): (metres: number) => string {
  const { t } = useLingui();
  const language = useLanguage();
  return (metres) => {
    const { value, unit, decimals } = roundedDistance(metres);
    const number = formatNumber(value, language, decimals);
    return unit === 'm'
      ? t({ id: 'city.distance.metres', message: `${number} m` })
      : t({ id: 'city.distance.kilometres', message: `${number} km` });
  };
}
