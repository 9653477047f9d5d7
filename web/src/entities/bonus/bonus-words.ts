import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';

/** Returns a function that formats a sum of bonuses with their unit, with two decimals unless it is whole. */
export function useBonusWords(): (bonuses: number) => string {
  const { t } = useLingui();
  const language = useLanguage();
  return (bonuses) => {
    const figure = formatNumber(bonuses, language, Number.isInteger(bonuses) ? 0 : 2);
    return t({
      id: 'bonus.sum',
      message: `${figure} B`,
      comment: 'A sum of bonuses with their unit',
    });
  };
}
