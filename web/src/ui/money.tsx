import { createContext, type ReactNode, use, useCallback } from 'react';
import { useLanguage } from '@/i18n/use-language';
import { formatMoney, type MoneyStyle } from '@/lib/money';

const MoneyContext = createContext<MoneyStyle | null>(null);

/** Sets the currency of the amounts in its children, and whether decimals always show. */
export function MoneyProvider({
  currency,
  fractional,
  children,
}: MoneyStyle & { children: ReactNode }) {
  return <MoneyContext value={{ currency, fractional }}>{children}</MoneyContext>;
}

/** Writes amounts (major units) in the city's currency and the page's language; the same function until these change. */
export function useMoney(): (amount: number) => string {
  const style = use(MoneyContext);
  const language = useLanguage();
  if (!style) throw new Error('useMoney outside MoneyProvider');
  const { currency, fractional } = style;
  return useCallback(
    (amount) => formatMoney(amount, { currency, fractional }, language),
    [currency, fractional, language],
  );
}
