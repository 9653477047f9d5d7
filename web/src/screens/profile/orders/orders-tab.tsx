import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { onServerClock } from '@/api/server-clock';
import type { Schema } from '@/api/types';
import { useCity, useCityPath } from '@/entities/city/context';
import { useLanguage } from '@/i18n/use-language';
import { formatDate, formatDayMonth, isoDate } from '@/lib/dates';
import { wallTime } from '@/lib/wall-time';
import { classes } from '@/ui/classes';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Skeleton } from '@/ui/feedback/skeleton';
import { useNow } from '@/ui/hooks/use-now';
import { ButtonLink } from '@/ui/link';
import { LoadFailed } from '../load-failed';
import { ordersQuery } from '../queries';
import { OrderCard } from './order-card';
import { groupByDay, nameDay, type OrderDay, readPage } from './order-days';
import { Pages } from './pages';

/** The customer's orders by days, ten on a page; the page is part of the address. */
export function OrdersTab() {
  const [query] = useSearchParams();
  const page = readPage(query.get('page'));
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery(ordersQuery(page));
  if (!data && isError) {
    return (
      <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
        <Trans id="profile.orders.orders-did-not-load">
          Your orders did not load. Nothing has happened to them.
        </Trans>
      </LoadFailed>
    );
  }
  if (!data) return <Waiting />;
  if (data.total === 0) return <NoOrders />;
  return (
    <div
      aria-busy={isPlaceholderData}
      className={classes(
        'flex flex-col gap-6 transition-[filter]',
        isPlaceholderData && 'grayscale',
      )}
    >
      {data.orders.length === 0 && !isPlaceholderData ? <PastTheEnd /> : <Days {...data} />}
      <Pages page={page} pages={data.pages} />
    </div>
  );
}

/** The orders of a page, grouped by days. */
function Days({ orders }: Schema<'OrderPage'>) {
  return groupByDay(orders).map((day) => <DayOfOrders key={day.date} {...day} />);
}

/** The orders of a day below its name. */
function DayOfOrders({ date, orders }: OrderDay) {
  const heading = `orders-${date}`;
  const name = useDayName(date);
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="title mb-2 text-lead">
        {name}
      </h2>
      <ul className="flex flex-col gap-3">
        {orders.map((order) => (
          <OrderCard key={order.order_id} order={order} />
        ))}
      </ul>
    </section>
  );
}

/** Returns a day in words: today, yesterday, or its date. */
function useDayName(date: string): string {
  const { t } = useLingui();
  const language = useLanguage();
  const city = useCity();
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const today = wallTime(onServerClock(useNow(true)), city);
  const dayMonth = formatDayMonth({ month, day }, language);
  switch (nameDay(date, isoDate(today))) {
    case 'today':
      return t({ id: 'profile.orders.today', message: `Today, ${dayMonth}` });
    case 'yesterday':
      return t({ id: 'profile.orders.yesterday', message: `Yesterday, ${dayMonth}` });
    case 'this-year':
      return dayMonth;
    case 'earlier':
      return formatDate({ year, month, day }, language);
  }
}

/** The text that there are no orders yet, with a link to the menu. */
function NoOrders() {
  const path = useCityPath();
  return (
    <EmptyState
      icon={ReceiptText}
      title={<Trans id="profile.orders.no-orders-yet">You have no orders yet</Trans>}
      action={
        <ButtonLink href={path()}>
          <Trans id="common.to-menu">To the menu</Trans>
        </ButtonLink>
      }
    >
      <Trans id="profile.orders.first-one-appear-here">
        The first one will appear here, and you can repeat it with one tap.
      </Trans>
    </EmptyState>
  );
}

/** The text that the list has no such page, with a link to the first page. */
function PastTheEnd() {
  const path = useCityPath();
  return (
    <EmptyState
      icon={ReceiptText}
      title={<Trans id="profile.orders.no-orders-on-page">There are no orders on this page</Trans>}
      action={
        <ButtonLink href={path('/profile?tab=orders')}>
          <Trans id="profile.orders.to-latest-orders">To the latest orders</Trans>
        </ButtonLink>
      }
    />
  );
}

/** The skeleton of the list while it loads. */
const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    <Skeleton shape="title" />
    {[1, 2, 3].map((card) => (
      <div key={card} className="flex flex-col gap-3 rounded-card bg-surface p-4">
        <Skeleton shape="line" count={3} />
      </div>
    ))}
  </div>
);
