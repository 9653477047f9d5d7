import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { BottomNavigation } from './bottom-navigation';
import { CartBar } from './cart-bar';
import { frameOf } from './frame-rules';
import { Header } from './header';
import { PageFooter } from './page-footer';
import { contentId, usePageScroll } from './use-page-scroll';

interface PageFrameProps {
  /** Whether the address is of a city: then there is a menu, a cart and a place to order to. */
  inCity: boolean;
  /** Notices that come right after the link that skips to the content. */
  notices: ReactNode;
  children: ReactNode;
}

/**
 * The frame of every page: the header, the content, the footer, and on phones the bars at the bottom. The
 * address decides which parts it has. It scrolls a new page to its top.
 */
export function PageFrame({ inCity, notices, children }: PageFrameProps) {
  const [location] = useLocation();
  const { navigation, cartBar, isSlim } = frameOf(location, inCity);
  usePageScroll();
  return (
    <>
      <a
        href={`#${contentId}`}
        className="sr-only z-50 rounded-control bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:inset-bs-2 focus:inset-s-2"
      >
        <Trans id="app.frame.skip-to-content">Skip to the content</Trans>
      </a>
      {notices}
      <Header inCity={inCity} isSlim={isSlim} />
      <div
        id={contentId}
        tabIndex={-1}
        className="min-h-[calc(var(--full-height)*0.7)] outline-none"
      >
        {children}
      </div>
      <PageFooter inCity={inCity} isSlim={isSlim} />
      {/* Room for the bars that cover the end of the page on phones. */}
      {navigation && <div aria-hidden="true" className="h-(--bars-height) desktop:hidden" />}
      {cartBar && (
        <div className="fixed-bar cart-bar z-40 px-bar desktop:hidden">
          <CartBar />
        </div>
      )}
      {navigation && <BottomNavigation />}
    </>
  );
}
