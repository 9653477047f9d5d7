import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useEffect, useRef } from 'react';
import { chooseConsent, useConsent } from '@/entities/consent/consent';
import { Button } from '@/ui/button';
import { classes } from '@/ui/classes';
import { announce } from '@/ui/feedback/announcer';
import { Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';

/**
 * The place of the notice on phones: at the end of the window, above the order button, the bars that lead to the
 * other pages or the suggestion of a city where there are any. On desktop it is in the corner that no button of
 * the order uses.
 */
export type NoticePlace = 'end' | 'above-bars' | 'above-suggestion';

const places: Record<NoticePlace, string> = {
  // Moved by a transform, so that nothing counts as shifted when the order button comes after the notice.
  end: 'inset-be-[calc(0.5rem+env(safe-area-inset-bottom))] [transform:translateY(calc(-1*var(--order-bar-height,0px)))] desktop:inset-be-4 desktop:transform-none',
  'above-bars':
    'inset-be-[calc(var(--bars-height)-1rem)] desktop:inset-be-[calc(1rem+var(--progress-height,0px))]',
  'above-suggestion': 'inset-be-[calc(6rem+env(safe-area-inset-bottom))]',
};

interface CookieNoticeProps {
  place: NoticePlace;
  /** Called when the notice is closed while it has the focus. */
  onFocusLost: () => void;
}

/** The choice of cookies, shown until the visitor answers. Until then the page uses only the necessary cookies. */
export default function CookieNotice({ place, onFocusLost }: CookieNoticeProps) {
  const { t } = useLingui();
  const notice = useRef<HTMLElement>(null);
  const isChosen = useConsent() !== undefined;
  useRoomAround(notice, isChosen);
  const title = t({ id: 'consent.notice.title', message: 'Your choice of cookies' });
  useEffect(() => announce(title), [title]);
  if (isChosen) return null;
  const choose = (isAllowed: boolean) => {
    const hadFocus = notice.current?.contains(document.activeElement);
    chooseConsent({ analytics: isAllowed, marketing: isAllowed });
    if (hadFocus) onFocusLost();
  };
  return (
    <section
      ref={notice}
      aria-label={title}
      data-screen-only
      className={classes(
        'fixed-bar inset-x-2 z-40 mx-auto max-w-md animate-[appear_var(--motion)_ease-out] rounded-card border border-line bg-surface p-3 text-ink shadow-high desktop:inset-s-4 desktop:inset-e-auto desktop:p-4',
        places[place],
      )}
    >
      <p className="text-note">
        <Trans id="consent.notice.text">
          The cart and signing in need cookies. If you agree, we also use them for statistics and
          advertising. <Link href="/privacy-policy">Privacy policy</Link>
        </Trans>
      </p>
      <div className="mt-2 grid grid-cols-2 gap-2">
        <Button look="secondary" onClick={() => choose(false)}>
          <Trans id="consent.notice.reject">Reject all</Trans>
        </Button>
        <Button look="secondary" onClick={() => choose(true)}>
          <Trans id="consent.notice.accept">Accept all</Trans>
        </Button>
      </div>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => openModal('cookie-settings')}
        className="mt-1 -mb-2 min-h-11 w-full text-note text-accent-ink"
      >
        <Trans id="consent.notice.choose">Choose one by one</Trans>
      </button>
    </section>
  );
}

/**
 * While the notice is shown over the page, adds room to the page and to its scrolling, so that the notice does not
 * cover the focused element or the page's end. In a low window it stands in its place on the page, see `fixed-bar`.
 */
function useRoomAround(notice: RefObject<HTMLElement | null>, isGone: boolean): void {
  useEffect(() => {
    const element = notice.current;
    if (isGone || !element) return;
    const root = document.documentElement;
    const giveBack = () => {
      root.style.scrollPaddingBottom = '';
      document.body.style.paddingBlockEnd = '';
    };
    const makeRoom = () => {
      giveBack();
      if (getComputedStyle(element).position !== 'fixed') return;
      const bars = Number.parseFloat(getComputedStyle(root).scrollPaddingBottom) || 0;
      root.style.scrollPaddingBottom = `${bars + element.offsetHeight + 24}px`;
      document.body.style.paddingBlockEnd = `${element.offsetHeight + 24}px`;
    };
    makeRoom();
    addEventListener('resize', makeRoom);
    return () => {
      removeEventListener('resize', makeRoom);
      giveBack();
    };
  }, [notice, isGone]);
}
