import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { Coins, LogOut, MapPin, ReceiptText, UserRound } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { Schema } from '@/api/types';
import { useBonusWords } from '@/entities/bonus/bonus-words';
import { useCart } from '@/entities/cart/queries';
import { useCity, useCityPath } from '@/entities/city/context';
import { addressesQuery } from '@/entities/place/queries';
import { useSignOut } from '@/entities/session/sign-out';
import { writtenPhone } from '@/lib/phone';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { HeaderMenu } from './header-menu';

/** How many saved addresses the menu shows; the tab of the profile shows all. */
const shownAddresses = 3;

interface AccountMenuProps {
  anchor: RefObject<HTMLElement | null>;
  user: Schema<'UserBrief'>;
  onClose: () => void;
}

/** The menu below the header's button: the customer's name and phone, links to their pages, bonuses, sign-out. */
export default function AccountMenu({ anchor, user, onClose }: AccountMenuProps) {
  const { phone_masks: masks } = useCity();
  const phone = writtenPhone(user.phone, masks);
  return (
    <HeaderMenu
      anchor={anchor}
      align="end"
      title={user.name || phone}
      titleClassName="truncate px-3 pt-2 strong"
      className="w-72"
      onClose={onClose}
    >
      {user.name && <p className="px-3 text-note text-ink-soft">{phone}</p>}
      <ul className="pt-2">
        <Pages onClose={onClose} />
        <Bonuses onClose={onClose} />
        <SignOut />
      </ul>
    </HeaderMenu>
  );
}

interface PartProps {
  onClose: () => void;
}

/** The links to the tabs of the profile. */
function Pages({ onClose }: PartProps) {
  const { t } = useLingui();
  const path = useCityPath();
  const { order_types: orderTypes } = useCity();
  const to = (tab: string) => path(`/profile?tab=${tab}`);
  return (
    <>
      <PageRow icon={UserRound} href={to('profile')} onClick={onClose}>
        {t({ id: 'common.profile', message: 'Profile' })}
      </PageRow>
      <PageRow icon={ReceiptText} href={to('orders')} onClick={onClose}>
        {t({ id: 'common.orders', message: 'Orders' })}
      </PageRow>
      {orderTypes.delivery && (
        <>
          <PageRow icon={MapPin} href={to('addresses')} onClick={onClose}>
            {t({ id: 'common.addresses', message: 'Addresses' })}
          </PageRow>
          <Addresses to={to('addresses')} onClose={onClose} />
        </>
      )}
    </>
  );
}

/** The addresses used last: a press chooses one. */
function Addresses({ to, onClose }: PartProps & { to: string }) {
  const { data = [] } = useQuery(addressesQuery());
  return data.slice(0, shownAddresses).map(({ id, address, city }) => (
    <li key={id}>
      <Link look="plain" href={`${to}&delivery_address_id=${id}`} onClick={onClose}>
        <span className="flex min-h-10 items-center ps-11 pe-3 text-note">
          <span className="truncate">
            {address}
            <span className="text-ink-soft">, {city.name}</span>
          </span>
        </span>
      </Link>
    </li>
  ));
}

/** The balance of bonuses, with a link to how they work. */
function Bonuses({ onClose }: PartProps) {
  const { t } = useLingui();
  const { bonus_programme: programme } = useCity();
  const { cart } = useCart();
  const words = useBonusWords();
  if (!programme) return null;
  return (
    <li>
      <PressRow
        icon={Coins}
        end={cart?.bonus && words(cart.bonus.balance)}
        onClick={() => {
          onClose();
          openModal('bonus-info');
        }}
      >
        {t({ id: 'common.bonuses', message: 'Bonuses' })}
      </PressRow>
    </li>
  );
}

/** The row that signs the customer out. */
function SignOut() {
  const { signOut, isBusy } = useSignOut();
  return (
    <li className="mt-1 border-t border-line pt-1">
      <PressRow icon={LogOut} onClick={signOut} isBusy={isBusy}>
        <Trans id="common.sign-out">Sign out</Trans>
      </PressRow>
    </li>
  );
}

interface RowProps {
  icon: LucideIcon;
  onClick: () => void;
  children: ReactNode;
}

const rowClasses =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start hover:bg-raised';

/** A row that leads to a page. */
function PageRow({ icon, href, onClick, children }: RowProps & { href: string }) {
  return (
    <li>
      <Link look="plain" href={href} onClick={onClick}>
        <span className={rowClasses}>
          <Icon of={icon} />
          {children}
        </span>
      </Link>
    </li>
  );
}

interface PressRowProps extends RowProps {
  end?: string;
  isBusy?: boolean;
}

/** A row that does something, with a value at its end. */
function PressRow({ icon, onClick, end, isBusy, children }: PressRowProps) {
  return (
    <button type="button" onClick={onClick} aria-busy={isBusy || undefined} className={rowClasses}>
      <Icon of={icon} />
      <span className="flex-1">{children}</span>
      {end && <span className="numeral text-ink-soft">{end}</span>}
    </button>
  );
}
