import { Trans } from '@lingui/react/macro';
import { Check, Circle } from 'lucide-react';
import type { Schema } from '@/api/types';
import { classes } from '@/ui/classes';
import { Icon } from '@/ui/icon';
import { InfoPopover } from '@/ui/info-popover';
import { VisuallyHidden } from '@/ui/visually-hidden';

/** A button that opens all conditions of a gift; those that are met are ticked. */
export default function AllConditions({ gift }: { gift: Schema<'Gift'> }) {
  return (
    <InfoPopover
      label={<Trans id="checkout.gifts.what-needed">What is needed</Trans>}
      title={<Trans id="checkout.gifts.for-gift">For the gift “{gift.name}”</Trans>}
    >
      <ul className="flex flex-col gap-1">
        {gift.conditions.map(({ message, validated }) => (
          <li
            key={message}
            className={classes('flex items-start gap-2', validated && 'text-ink-soft')}
          >
            <span className={classes('pt-0.5', validated && 'text-good')}>
              <Icon of={validated ? Check : Circle} size="small" />
            </span>
            <span>
              {validated && (
                <VisuallyHidden>
                  <Trans id="checkout.gifts.done">Done:</Trans>{' '}
                </VisuallyHidden>
              )}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </InfoPopover>
  );
}
