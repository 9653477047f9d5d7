import { Trans, useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';
import { useLanguage } from '@/i18n/use-language';
import { formatDate } from '@/lib/dates';
import type { Language } from '@/lib/language';
import { formatNumber } from '@/lib/money';
import { useMoney } from '@/ui/money';

/** The rules of the city's bonus programme as a list: how bonuses are earned and spent, and until when. */
export function BonusFacts({ programme }: { programme: Schema<'BonusProgramme'> }) {
  const { t } = useLingui();
  const money = useMoney();
  const language = useLanguage();
  const { percent, is_accruing, is_spendable, accrual_until, spend_until } = programme;
  const share = formatNumber(percent, language, Number.isInteger(percent) ? 0 : 2);
  const one = money(1);
  return (
    <ul className="flex list-disc flex-col gap-2 ps-5">
      <li>
        {is_accruing
          ? t({
              id: 'bonus.facts.share-comes-back',
              message: `${share}% of what you pay for dishes comes back as bonuses when the order is done.`,
            })
          : t({
              id: 'bonus.facts.no-new-bonuses-given-now',
              message: 'No new bonuses are given now.',
            })}
        {is_accruing &&
          accrual_until &&
          ` ${t({ id: 'bonus.facts.until', message: `Until ${dayText(accrual_until, language)}.` })}`}
      </li>
      <li>
        <Trans id="bonus.facts.one-bonus-worth">One bonus is worth {one}.</Trans>
      </li>
      <li>
        {is_spendable
          ? t({
              id: 'bonus.facts.switch-pay-with-bonuses',
              message: `Switch “Pay with bonuses” on at checkout. At least ${one} of each dish is paid with money.`,
            })
          : t({
              id: 'bonus.facts.bonuses-cannot-be-spent-now',
              message: 'Bonuses cannot be spent now.',
            })}
        {is_spendable &&
          spend_until &&
          ` ${t({ id: 'bonus.facts.until', message: `Until ${dayText(spend_until, language)}.` })}`}
      </li>
      <li>
        <Trans id="bonus.facts.bonuses-cannot-be-combined">
          Bonuses cannot be combined with a discount.
        </Trans>
      </li>
      <li>
        <Trans id="bonus.facts.if-order-canceled">
          If an order is canceled, the bonuses that paid for it come back.
        </Trans>
      </li>
    </ul>
  );
}

/** Writes a date, `YYYY-MM-DD`, as `21 May 2025`. */
function dayText(date: string, language: Language): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return formatDate({ year, month, day }, language);
}
