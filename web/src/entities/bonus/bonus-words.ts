import { useLingui } from '@lingui/react/macro';
import { useLanguage } from '@/i18n/use-language';
import { formatNumber } from '@/lib/money';

/** Returns a function that writes a sum of bonuses with their sign; hundredths only when there are some. */
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
