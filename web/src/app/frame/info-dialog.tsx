import { Trans, useLingui } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import {
  Bike,
  Coins,
  ExternalLink,
  FileText,
  MapPin,
  MapPinned,
  MessageCircleQuestionMark,
  PackageSearch,
  Phone,
  PhoneIncoming,
  Store,
  TicketPercent,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { callHref } from '@/lib/call-href';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { Sheet } from '@/ui/sheet';
import { LanguageChoice } from './language-choice';
import { type CityPage, useCityPages, useWordLinks } from './use-city-pages';
import { useContactForms } from './use-contact-forms';

const icons: Record<CityPage['about'], LucideIcon> = {
  promotions: TicketPercent,
  bonus: Coins,
  delivery: Bike,
  shops: MapPinned,
  words: FileText,
};

const formIcons = { 'call-me-back': PhoneIncoming, feedback: MessageCircleQuestionMark };

/**
 * The dialog with the parts that a phone's header has no room for: city, pages, phone, forms, other brands,
 * language.
 */
export default function InfoDialog() {
  const { t } = useLingui();
  const { brands, links, is_auth_enabled: canSignIn } = useSite();
  const city = useCity();
  const pages = [...useCityPages(), ...useWordLinks()];
  const forms = useContactForms();
  return (
    <Sheet title={t({ id: 'app.frame.info', message: 'Info' })}>
      <ul className="divide-y divide-line">
        <li>
          <Opener modal="cities" icon={MapPin} end={city.name}>
            <Trans id="app.frame.city">City</Trans>
          </Opener>
        </li>
        {pages.map(({ about, href, name }) => (
          <li key={href}>
            <Link look="plain" href={href}>
              <Row icon={icons[about]}>{name}</Row>
            </Link>
          </li>
        ))}
        {/* Without sign-in the bar at the bottom leads to it. */}
        {canSignIn && (
          <li>
            <Opener modal="order-status" icon={PackageSearch}>
              <Trans id="app.frame.order-status">Order status</Trans>
            </Opener>
          </li>
        )}
        <li>
          <Link look="plain" href={callHref(city.phone)}>
            <Row icon={Phone} end={city.phone}>
              <Trans id="app.frame.call-us">Call us</Trans>
            </Row>
          </Link>
        </li>
        {forms.map(({ modal, name }) => (
          <li key={modal}>
            <Opener modal={modal} icon={formIcons[modal]}>
              {name}
            </Opener>
          </li>
        ))}
        {brands.map((brand) => (
          <li key={brand.url}>
            <Link look="plain" href={brand.url}>
              <Row icon={Store}>{brand.name}</Row>
            </Link>
          </li>
        ))}
        {links.map((link) => (
          <li key={link.url}>
            <Link look="plain" href={link.url}>
              <Row icon={ExternalLink}>{link.text}</Row>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <LanguageChoice />
      </div>
    </Sheet>
  );
}

interface RowProps {
  icon: LucideIcon;
  end?: string;
  children: ReactNode;
}

/** A row that opens another modal. */
function Opener({
  modal,
  ...row
}: RowProps & { modal: 'cities' | 'order-status' | 'call-me-back' | 'feedback' }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openModal(modal)}
      className="w-full text-start"
    >
      <Row {...row} />
    </button>
  );
}

/** The content of a row: an icon, a text, and a value at its end. */
function Row({ icon, end, children }: RowProps) {
  return (
    <span className="flex min-h-12 items-center gap-3">
      <Icon of={icon} />
      <span className="flex-1">{children}</span>
      {end && <span className="text-ink-soft">{end}</span>}
    </span>
  );
}
