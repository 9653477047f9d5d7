import { Trans, useLingui } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import {
  Bike,
  Coins,
  ExternalLink,
  FileText,
  MapPin,
  MapPinned,
  PackageSearch,
  Phone,
  Store,
  TicketPercent,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { callHref } from '@/lib/phone';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { Sheet } from '@/ui/sheet';
import { LanguageChoice } from './language-choice';
import { type CityPage, useCityPages, useWordLinks } from './use-city-pages';

const icons: Record<CityPage['about'], LucideIcon> = {
  promotions: TicketPercent,
  bonus: Coins,
  delivery: Bike,
  shops: MapPinned,
  words: FileText,
};

/** What a phone's header has no room for: city, its pages, language, phone, the house's other brands. */
export default function InfoDialog() {
  const { t } = useLingui();
  const { brands, links, is_auth_enabled: canSignIn } = useSite();
  const city = useCity();
  const pages = [...useCityPages(), ...useWordLinks()];
  return (
    <Sheet title={t({ id: 'app.frame.info', message: 'Info' })}>
      <ul className="divide-y divide-line">
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => openModal('cities')}
            className="w-full text-start"
          >
            <Row icon={MapPin} end={city.name}>
              <Trans id="app.frame.city">City</Trans>
            </Row>
          </button>
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
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => openModal('order-status')}
              className="w-full text-start"
            >
              <Row icon={PackageSearch}>
                <Trans id="app.frame.order-status">Order status</Trans>
              </Row>
            </button>
          </li>
        )}
        <li>
          <Link look="plain" href={callHref(city.phone)}>
            <Row icon={Phone} end={city.phone}>
              <Trans id="app.frame.call-us">Call us</Trans>
            </Row>
          </Link>
        </li>
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

function Row({ icon, end, children }: RowProps) {
  return (
    <span className="flex min-h-12 items-center gap-3">
      <Icon of={icon} />
      <span className="flex-1">{children}</span>
      {end && <span className="text-ink-soft">{end}</span>}
    </span>
  );
}
