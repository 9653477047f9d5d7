import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { chooseConsent, useConsent } from '@/entities/consent/consent';
import { Button } from '@/ui/button';
import { Checkbox } from '@/ui/fields/checkbox';
import { flash } from '@/ui/flash/flash-store';
import { Link } from '@/ui/link';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { Sheet } from '@/ui/sheet';

/** The choice of cookies by category, which may be changed at any time. Nothing is ticked before the visitor ticks it. */
export default function CookieSettingsDialog() {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const consent = useConsent();
  const [analytics, setAnalytics] = useState(consent?.analytics ?? false);
  const [marketing, setMarketing] = useState(consent?.marketing ?? false);
  const save = () => {
    chooseConsent({ analytics, marketing });
    close();
    flash(t({ id: 'consent.settings.saved', message: 'Your choice of cookies is saved' }), {
      tone: 'success',
    });
  };
  return (
    <Sheet
      size="small"
      title={t({ id: 'consent.settings.title', message: 'Cookies' })}
      footer={
        <Button wide onClick={save}>
          <Trans id="consent.settings.save">Save the choice</Trans>
        </Button>
      }
    >
      <div className="grid gap-1">
        <Checkbox
          checked
          disabled
          label={t({ id: 'consent.settings.necessary', message: 'Necessary' })}
          note={t({
            id: 'consent.settings.necessary-note',
            message: 'Cart, signing in, city and language. The site does not work without them.',
          })}
        />
        <Checkbox
          checked={analytics}
          onChange={(event) => setAnalytics(event.target.checked)}
          label={t({ id: 'consent.settings.analytics', message: 'Analytics' })}
          note={t({
            id: 'consent.settings.analytics-note',
            message:
              'Which dishes are viewed and ordered, so that we can improve the menu and site.',
          })}
        />
        <Checkbox
          checked={marketing}
          onChange={(event) => setMarketing(event.target.checked)}
          label={t({ id: 'consent.settings.marketing', message: 'Marketing' })}
          note={t({
            id: 'consent.settings.marketing-note',
            message: 'Whether our advertising on other sites leads to orders.',
          })}
        />
        <p className="pt-2 text-note text-ink-soft">
          <Trans id="consent.settings.term">
            We keep your choice for 256 days. You can change it at any time through the link at the
            end of each page. <Link href="/privacy-policy">Privacy policy</Link>
          </Trans>
        </p>
      </div>
    </Sheet>
  );
}
