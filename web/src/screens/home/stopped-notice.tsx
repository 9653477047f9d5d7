import { Trans } from '@lingui/react/macro';
import { useCity } from '@/entities/city/context';
import { callHref } from '@/lib/call-href';
import { Notice } from '@/ui/feedback/notice';
import { Link } from '@/ui/link';

/**
 * The notice that the city takes no orders now, with the reason. In a city that takes orders it shows the city's
 * alert, if any.
 */
export function StoppedNotice() {
  const { type, alert, phone } = useCity();
  if (type !== 'stop') return alert ? <Notice tone="warn">{alert}</Notice> : null;
  return (
    <Notice
      tone="warn"
      title={<Trans id="home.stopped.no-orders-taken-here-now">No orders are taken here now</Trans>}
    >
      {alert && <p>{alert}</p>}
      <p>
        <Trans id="home.stopped.questions">
          Questions: <Link href={callHref(phone)}>{phone}</Link>
        </Trans>
      </p>
    </Notice>
  );
}
