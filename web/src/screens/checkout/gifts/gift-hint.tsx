import { Trans } from '@lingui/react/macro';
import { lazy } from 'react';
import type { Schema } from '@/api/types';
import { hintOf } from '@/entities/cart/gifts/rules';
import { LazyPart } from '@/ui/feedback/lazy-part';

// Loaded on demand: it is seldom shown, and its popover is large.
const AllConditions = lazy(() => import('./all-conditions'));

/**
 * The conditions of a gift that are not met yet, or a button for them when they are many; nothing when all are
 * met.
 */
export function GiftHint({ gift }: { gift: Schema<'Gift'> }) {
  const hint = hintOf(gift);
  if (!hint) return null;
  if (hint.kind === 'list') {
    return (
      <ul className="text-note text-ink-soft">
        {hint.messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    );
  }
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-1 text-note text-ink-soft">
      <Trans id="checkout.gifts.few-more-things-needed-for">
        A few more things are needed for it.
      </Trans>
      <LazyPart>
        <AllConditions gift={gift} />
      </LazyPart>
    </div>
  );
}
