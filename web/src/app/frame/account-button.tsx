import { Trans, useLingui } from '@lingui/react/macro';
import { User } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';
import { classes } from '@/ui/classes';
import { ErrorBoundary } from '@/ui/feedback/error-boundary';
import { Icon } from '@/ui/icon';
import { openModal } from '@/ui/modals/modal-store';

const AccountMenu = lazy(() => import('./account-menu'));

/** The customer's button in the header; on a site without sign-in, the button for the status of an order. */
export function AccountButton() {
  const { is_auth_enabled: canSignIn } = useSite();
  return canSignIn ? <Account /> : <OrderStatus />;
}

/** The button that opens the look-up of an order. */
function OrderStatus() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openModal('order-status')}
      className="min-h-11 px-2 hover:text-accent-ink"
    >
      <Trans id="app.frame.order-status">Order status</Trans>
    </button>
  );
}

/** The button that opens the sign-in for a guest, and the menu for a customer. */
function Account() {
  const { t } = useLingui();
  const { user } = useUser();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={
          user
            ? t({ id: 'common.profile', message: 'Profile' })
            : t({ id: 'common.sign-in', message: 'Sign in' })
        }
        aria-haspopup="dialog"
        aria-expanded={user ? isOpen : undefined}
        onClick={() => (user ? setOpen(!isOpen) : requireSignIn())}
        className="flex min-h-11 min-w-11 items-center justify-center gap-1.5 px-2 hover:text-accent-ink"
      >
        <Icon of={User} size="small" />
        {/* As wide as the longer of the two, so that nothing moves once the customer is known; where there is little room only the icon shows. */}
        <span
          aria-hidden="true"
          className="hidden text-start *:col-start-1 *:row-start-1 min-[1280px]:grid"
        >
          <span className={classes(user && 'invisible')}>
            {t({ id: 'common.sign-in', message: 'Sign in' })}
          </span>
          <span className={classes(!user && 'invisible')}>
            {t({ id: 'common.profile', message: 'Profile' })}
          </span>
        </span>
      </button>
      {user && isOpen && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <AccountMenu anchor={button} user={user} onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
