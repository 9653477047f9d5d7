import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import { BadgeCheck, CircleX, Clock, CreditCard, Hourglass, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Schema } from '@/api/types';
import { useCityPath } from '@/entities/city/context';
import { useUnpaidOrder } from '@/entities/payment-state/use-unpaid-order';
import { usePageTitle } from '@/entities/site/page-title';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Icon } from '@/ui/icon';
import { ButtonLink } from '@/ui/link';
import { type Outcome, outcomeOf } from './outcome';
import { OutcomeText, useOutcomeTitle } from './outcome-words';
import { NextSteps } from './ways-on';

/** The page after a payment that failed or was not made in time: the outcome and the next steps. */
export function BackToHomePage() {
  const { isLoading, payment } = useUnpaidOrder({ settled: true });
  return (
    <main className="mx-auto max-w-xl px-4 py-8">
      {isLoading ? <Waiting /> : <Ending payment={payment} />}
    </main>
  );
}

const icons: Record<Outcome, LucideIcon> = {
  failed: CircleX,
  unfinished: CreditCard,
  unknown: CircleX,
  late: Hourglass,
  canceled: CircleX,
  checking: Clock,
  paid: BadgeCheck,
  kept: CircleX,
  'given-back': Undo2,
};

/** The outcome of the payment with the next steps. */
function Ending({ payment }: { payment: Schema<'OrderPayment'> | undefined }) {
  const path = useCityPath();
  const outcome = outcomeOf(payment);
  const orderId = payment?.order_id;
  const title = useOutcomeTitle(outcome);
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  // The heading takes the focus, so that a screen reader reads it at once.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <span className="grid size-20 place-items-center rounded-full bg-plate text-plate-mark">
        <Icon of={icons[outcome]} size="large" />
      </span>
      {payment && (
        <p className="text-ink-soft">
          <Trans id="common.order-number">Order no. {orderId}</Trans>
        </p>
      )}
      <h1 ref={heading} tabIndex={-1} className="title text-title text-balance outline-none">
        {title}
      </h1>
      <p className="text-balance text-ink-soft">
        <OutcomeText outcome={outcome} payment={payment} />
      </p>
      <div className="mt-3 flex w-full max-w-xs flex-col gap-2">
        <NextSteps outcome={outcome} payment={payment} size="large" />
        <ButtonLink look="quiet" wide href={path()}>
          <Trans id="common.to-menu">To the menu</Trans>
        </ButtonLink>
      </div>
    </div>
  );
}

/** The skeleton of the page while the payment loads. */
const Waiting = () => (
  <div aria-busy="true" className="flex flex-col gap-4 py-4">
    <Skeleton shape="title" />
    <Skeleton shape="line" count={2} />
  </div>
);
