import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCity } from '@/entities/city/context';
import { LegalName } from '@/entities/city/legal-name';
import { shopsQuery } from '@/entities/city/queries';
import { useSite } from '@/entities/site/context';
import { callHref } from '@/lib/call-href';
import { Disclosure } from '@/ui/disclosure';
import { Spinner } from '@/ui/feedback/spinner';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { LanguageChoice } from './language-choice';
import { useCityPages, useWordLinks } from './use-city-pages';
import { useContactForms } from './use-contact-forms';

/**
 * The footer of every page: brand and contacts, links, language, cookie settings, licences. A slim one has only
 * contacts.
 */
export function PageFooter({ inCity, isSlim }: { inCity: boolean; isSlim: boolean }) {
  const site = useSite();
  return (
    <footer className="mt-12 border-t border-line bg-surface">
      <div className="mx-auto grid max-w-[90rem] gap-6 px-4 py-8 desktop:grid-cols-[1fr_auto_auto] desktop:gap-16">
        <div className="max-w-md">
          <p className="title text-lead">{site.name}</p>
          {site.slogan && <p className="text-ink-soft">{site.slogan}</p>}
          <div className="mt-3">{inCity ? <CityContacts /> : <SiteContacts />}</div>
        </div>
        {!isSlim && <FooterLinks inCity={inCity} />}
        {!isSlim && (
          <div className="grid content-start justify-items-start gap-2">
            <LanguageChoice />
            <CookieSettings />
            <Licences />
          </div>
        )}
      </div>
    </footer>
  );
}

/** The button that opens the choice of cookies again. */
function CookieSettings() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={() => openModal('cookie-settings')}
      className="min-h-9 text-note hover:text-accent-ink"
    >
      <Trans id="app.frame.cookie-settings">Cookie settings</Trans>
    </button>
  );
}

/** The link to the licences of the libraries and typefaces in the page. */
function Licences() {
  return (
    <Link look="plain" href="/licences.txt">
      <span className="inline-flex min-h-9 items-center text-note">
        <Trans id="app.frame.open-source-licences">Open-source licenses</Trans>
      </span>
    </Link>
  );
}

/**
 * The list of links: pages and forms of the city, or the brand's pages outside of a city, then other sites and
 * brands.
 */
function FooterLinks({ inCity }: { inCity: boolean }) {
  const { t } = useLingui();
  const { links, brands, pages, is_auth_enabled: canSignIn } = useSite();
  const forms = useContactForms();
  if (!inCity && links.length + brands.length + pages.length === 0) return <span />;
  return (
    <ul className="grid pairs gap-x-4 hyphens-auto wrap-anywhere max-[22rem]:grid-cols-1 desktop:grid-cols-[auto_auto] desktop:gap-x-10">
      {inCity && <CityLinks />}
      {/* Without sign-in the header leads to it. */}
      {inCity && canSignIn && (
        <Opener modal="order-status">
          {t({ id: 'app.frame.order-status', message: 'Order status' })}
        </Opener>
      )}
      {inCity &&
        forms.map(({ modal, name }) => (
          <Opener key={modal} modal={modal}>
            {name}
          </Opener>
        ))}
      {!inCity &&
        pages.map(({ alias, title }) => (
          <Entry key={alias} href={`/${alias}`}>
            {title}
          </Entry>
        ))}
      {inCity && <Entry href="/">{t({ id: 'app.frame.all-cities', message: 'All cities' })}</Entry>}
      {links.map(({ url, text }) => (
        <Entry key={url} href={url}>
          {text}
        </Entry>
      ))}
      {brands.map(({ url, name }) => (
        <Entry key={url} href={url}>
          {name}
        </Entry>
      ))}
    </ul>
  );
}

/** The links to the pages of the city and the brand's own pages. */
function CityLinks() {
  return [...useCityPages(), ...useWordLinks()].map(({ href, name }) => (
    <Entry key={href} href={href}>
      {name}
    </Entry>
  ));
}

/** An entry of the list that opens a modal. */
function Opener({
  modal,
  children,
}: {
  modal: 'order-status' | 'call-me-back' | 'feedback';
  children: string;
}) {
  return (
    <li>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => openModal(modal)}
        className="min-h-9 text-start hover:text-accent-ink"
      >
        {children}
      </button>
    </li>
  );
}

/** An entry of the list that is a link. */
function Entry({ href, children }: { href: string; children: string }) {
  return (
    <li>
      <Link look="plain" href={href}>
        <span className="inline-flex min-h-9 max-w-full items-center py-1">{children}</span>
      </Link>
    </li>
  );
}

/** Phone and e-mail of the site, outside of a city. */
function SiteContacts() {
  const { phone, email } = useSite();
  return <Contacts phone={phone} email={email} />;
}

/** Phone and e-mail of the city, and the companies that sell there. */
function CityContacts() {
  const { email } = useSite();
  const city = useCity();
  return (
    <>
      <Contacts phone={city.phone} email={city.email ?? email} />
      <LegalNames cityId={city.id} />
    </>
  );
}

/** Phone and e-mail, where there are any. */
function Contacts({ phone, email }: { phone?: string; email?: string }) {
  return (
    <p className="grid justify-items-start wrap-anywhere">
      {phone && (
        <Link look="plain" href={callHref(phone)}>
          <span className="inline-flex min-h-9 items-center strong">{phone}</span>
        </Link>
      )}
      {email && (
        <Link look="plain" href={`mailto:${email}`}>
          <span className="inline-flex min-h-9 items-center">{email}</span>
        </Link>
      )}
    </p>
  );
}

/** The companies of the city's shops, each once; loaded when the visitor opens the list. */
function LegalNames({ cityId }: { cityId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { data: shops, isError } = useQuery({ ...shopsQuery(cityId), enabled: isOpen });
  const companies = new Map(
    shops?.flatMap(({ company_name: name, inn, ogrn }) => (name ? [[name, { inn, ogrn }]] : [])),
  );
  return (
    <div className="mt-2 text-note">
      <Disclosure
        summary={<Trans id="app.frame.who-sells">About the seller</Trans>}
        onToggle={setOpen}
      >
        {!shops && !isError && <Spinner />}
        {isError && (
          <Trans id="app.frame.could-not-be-loaded">
            This could not be loaded. Check the network and try again.
          </Trans>
        )}
        <ul className="grid gap-1 text-ink-soft">
          {[...companies].map(([name, numbers]) => (
            <li key={name}>
              <LegalName name={name} {...numbers} />
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}
