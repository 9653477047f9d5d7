import { useLingui } from '@lingui/react/macro';
import { Phone } from 'lucide-react';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { callHref } from '@/lib/call-href';
import { SearchButton } from '@/screens/search/search-button';
import { Icon } from '@/ui/icon';
import { Link } from '@/ui/link';
import { AccountButton } from './account-button';
import { BrandMark } from './brand-mark';
import { CartLink } from './cart-link';
import { CityButton } from './city-button';
import { LanguageChoice } from './language-choice';
import { MorePages } from './more-pages';
import { PromisePill } from './promise/promise-pill';
import { useCityPages } from './use-city-pages';

/**
 * The header: the brand, the phone, and in a city the city and its parts. A slim header has only brand and phone. On
 * desktop the header stays in view.
 */
export function Header({ inCity, isSlim }: { inCity: boolean; isSlim: boolean }) {
  const hasParts = inCity && !isSlim;
  return (
    <header className="z-30 border-b border-line bg-ground desktop:sticky desktop:inset-bs-0">
      <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-[8px] px-[16px] desktop:gap-4">
        <BrandMark />
        {hasParts ? <CityParts /> : <span className="ms-auto" />}
        <div data-screen-only className={hasParts ? 'hidden desktop:block' : ''}>
          <LanguageChoice />
        </div>
        <PhoneLink inCity={inCity} />
      </div>
    </header>
  );
}

/** The parts of the header in a city: the city, the promise, search, pages, account, cart. */
function CityParts() {
  const { t } = useLingui();
  const pages = useCityPages();
  return (
    <>
      <CityButton />
      <div className="hidden min-w-0 flex-1 justify-center desktop:flex">
        <div className="max-w-xl min-w-0">
          <PromisePill />
        </div>
      </div>
      <span className="ms-auto desktop:ms-0">
        <SearchButton />
      </span>
      <nav
        aria-label={t({ id: 'app.frame.pages', message: 'Pages' })}
        className="hidden gap-1 desktop:flex"
      >
        {/* There is room for one page beside the promise; the others are in the menu. */}
        {pages.slice(0, 1).map(({ href, name }) => (
          <span key={href} className="hidden min-[1280px]:block">
            <Link look="plain" href={href}>
              <span className="flex min-h-11 items-center px-2">{name}</span>
            </Link>
          </span>
        ))}
        <MorePages pages={pages} />
        <AccountButton />
        <CartLink />
      </nav>
    </>
  );
}

/** The phone of the city, or of the site outside of a city. */
function PhoneLink({ inCity }: { inCity: boolean }) {
  const { phone } = useSite();
  if (inCity) return <CityPhone />;
  return phone ? <CallLink phone={phone} /> : null;
}

function CityPhone() {
  return <CallLink phone={useCity().phone} />;
}

/** A link that calls a phone. It shows the number where there is room for it, otherwise an icon. */
function CallLink({ phone }: { phone: string }) {
  const { t } = useLingui();
  return (
    <span className="shrink-0">
      <Link
        look="plain"
        href={callHref(phone)}
        aria-label={t({ id: 'common.call', message: `Call ${phone}` })}
      >
        <span className="flex min-h-11 min-w-[44px] items-center justify-center gap-2">
          <Icon of={Phone} size="small" />
          <span className="hidden whitespace-nowrap wide:inline">{phone}</span>
        </span>
      </Link>
    </span>
  );
}
