import { Trans, useLingui } from '@lingui/react/macro';
import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { announce } from '@/ui/feedback/announcer';
import { showFailure } from '@/ui/feedback/show-failure';
import {
  canSubscribe,
  isSubscribed,
  type Refusal,
  subscribe,
  unsubscribe,
} from './push-subscription';

/**
 * The button that turns notifications about an order in this browser on or off; nothing when the browser cannot
 * receive them. The browser asks for permission only after a press.
 */
export function OrderMessages({ orderId }: { orderId: number }) {
  const { t } = useLingui();
  const [isOn, setOn] = useState(() => canSubscribe() && isSubscribed(orderId));
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  if (!canSubscribe()) return null;

  const toggle = async () => {
    setBusy(true);
    const refused = isOn ? await unsubscribe(orderId) : await subscribe(orderId);
    setBusy(false);
    setRefusal(refused);
    if (typeof refused === 'object') showFailure(refused);
    if (refused) return;
    setOn(!isOn);
    announce(
      isOn
        ? t({ id: 'tracking.order-messages.off', message: 'Notifications are off' })
        : t({ id: 'tracking.order-messages.on', message: 'Notifications are on' }),
    );
  };
  return (
    <>
      <Button
        look="secondary"
        icon={isOn ? BellOff : Bell}
        busy={isBusy}
        onClick={() => void toggle()}
      >
        {isOn ? (
          <Trans id="tracking.order-messages.turn-off">Turn notifications off</Trans>
        ) : (
          <Trans id="tracking.order-messages.turn-on">Notify me of changes</Trans>
        )}
      </Button>
      {typeof refusal === 'string' && (
        <p role="status" className="basis-full text-note text-ink-soft">
          {refusal === 'blocked' ? (
            <Trans id="tracking.order-messages.blocked">
              Notifications are blocked in the settings of this browser. You can follow the order on
              this page.
            </Trans>
          ) : (
            <Trans id="tracking.order-messages.failed">
              Notifications could not be turned on in this browser. You can follow the order on this
              page.
            </Trans>
          )}
        </p>
      )}
    </>
  );
}
