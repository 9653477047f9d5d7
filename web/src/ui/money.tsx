import { createContext, type ReactNode, use, useCallback } from 'react';
import { useLanguage } from '@/i18n/use-language';
import { formatMoney, type MoneyStyle } from '@/lib/money';

const MoneyContext = createContext<MoneyStyle | null>(null);

/** Sets the currency of the amounts in its children, and whether they always have decimals. */
export function MoneyProvider({
  currency,
  fractional,
  children,
}: MoneyStyle & { children: ReactNode }) {
  return <MoneyContext value={{ currency, fractional }}>{children}</MoneyContext>;
}

/** Returns a function that formats amounts (major units) in the provider's currency and the page's language. */
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
