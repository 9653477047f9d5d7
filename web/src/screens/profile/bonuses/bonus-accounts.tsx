import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/types';
import { useBonusWords } from '@/entities/bonus/bonus-words';
import { useCity, useCityPath } from '@/entities/city/context';
import { useLanguage } from '@/i18n/use-language';
import { currencySign } from '@/lib/money';
import { classes } from '@/ui/classes';
import { Disclosure } from '@/ui/disclosure';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Link } from '@/ui/link';
import { LoadFailed } from '../load-failed';
import { useMomentWords } from '../moment-words';
import { balanceQuery } from '../queries';
import { Section } from '../section';

/** The section with the customer's bonuses and their history, and the link to the page about bonuses. */
export function BonusAccounts() {
  const path = useCityPath();
  const { bonus_programme: programme } = useCity();
  const { data: accounts, isError, isFetching, refetch } = useQuery(balanceQuery());
  return (
    <Section title={<Trans id="common.bonuses">Bonuses</Trans>}>
      {accounts ? (
        <Accounts accounts={accounts} />
      ) : isError ? (
        <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
          <Trans id="profile.bonuses.bonuses-did-not-load">
            Your bonuses did not load. Not one of them is lost.
          </Trans>
        </LoadFailed>
      ) : (
        <div aria-busy="true">
          <Skeleton shape="title" />
        </div>
      )}
      {programme && (
        <p className="mt-3 text-note">
          <Link href={path('/bonus')}>
            <Trans id="profile.bonuses.how-bonuses-work">How bonuses work</Trans>
          </Link>
        </p>
      )}
    </Section>
  );
}

/** The bonus accounts, one for each currency; without accounts a zero. */
function Accounts({ accounts }: { accounts: readonly Schema<'Balance'>[] }) {
  const words = useBonusWords();
  const { bonus_programme: programme } = useCity();
  if (accounts.length === 0) {
    return (
      <>
        <p className="numeral text-title strong">{words(0)}</p>
        {programme?.is_accruing && (
          <p className="text-ink-soft">
            <Trans id="profile.bonuses.they-come-with-orders">They come with your orders.</Trans>
          </p>
        )}
      </>
    );
  }
  return accounts.map((account) => (
    <Account key={account.currency} account={account} isOnly={accounts.length === 1} />
  ));
}

/** The bonuses of one currency, which is named where there are several, with their history. */
function Account({ account, isOnly }: { account: Schema<'Balance'>; isOnly: boolean }) {
  const { t } = useLingui();
  const words = useBonusWords();
  const language = useLanguage();
  const { currency, balance, history } = account;
  const sign = currencySign(currency, language);
  return (
    <div className="not-first:mt-4">
      <p className="numeral text-title strong">{words(balance)}</p>
      {!isOnly && (
        <p className="text-note text-ink-soft">
          {t({ id: 'profile.bonuses.for-orders-in', message: `for orders in ${sign}` })}
        </p>
      )}
      {history.length > 0 && (
        <Disclosure summary={<Trans id="profile.bonuses.history">History</Trans>}>
          <ul className="flex flex-col divide-y divide-line">
            {history.map((movement) => (
              <Movement key={`${movement.at} ${movement.text} ${movement.amount}`} {...movement} />
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

/** One entry of the history: when, why and how many bonuses. */
function Movement({ at, amount, text, order_id: orderId }: Schema<'BonusMovement'>) {
  const path = useCityPath();
  const words = useBonusWords();
  const momentWords = useMomentWords();
  return (
    <li className="flex items-baseline justify-between gap-4 py-2">
      <span className="min-w-0">
        {orderId === undefined ? (
          text
        ) : (
          <Link href={path(`/order/${orderId}/tracking`)}>{text}</Link>
        )}
        <span className="block text-note text-ink-soft">{momentWords(at)}</span>
      </span>
      <span className={classes('numeral whitespace-nowrap', amount > 0 && 'text-good strong')}>
        {amount > 0 && '+'}
        {words(amount)}
      </span>
    </li>
  );
}
