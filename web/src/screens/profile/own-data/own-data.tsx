import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';
import { showFailure } from '@/ui/show-failure';
import { Section } from '../section';
import { saveFile } from './save-file';

/** Everything that is kept of the customer as a file, and the end of the account. */
export function OwnData() {
  const { bonus_programme: programme } = useCity();
  return (
    <Section
      title={<Trans>Your data belongs to you</Trans>}
      note={
        programme ? (
          <Trans>
            The file holds all that we keep of you: profile, orders, addresses, bonuses.
          </Trans>
        ) : (
          <Trans>The file holds all that we keep of you: profile, orders, addresses.</Trans>
        )
      }
    >
      <div className="flex flex-wrap gap-2">
        <DownloadButton />
        <Button
          look="quiet"
          icon={Trash2}
          aria-haspopup="dialog"
          onClick={() => openModal('confirm-delete-account')}
        >
          <Trans>Delete the account</Trans>
        </Button>
      </div>
    </Section>
  );
}

function DownloadButton() {
  const { t } = useLingui();
  const [isBusy, setBusy] = useState(false);
  const load = async () => {
    setBusy(true);
    const result = await attempt(api.GET('/user/export'));
    setBusy(false);
    if (result.kind !== 'ok') {
      showFailure(result);
      return;
    }
    const day = result.data.exported_at.slice(0, 10);
    saveFile(`${result.data.site}-${day}.json`, result.data);
    flash(t`The file is among your downloads`, { tone: 'success' });
  };
  return (
    <Button look="secondary" icon={Download} busy={isBusy} onClick={() => void load()}>
      <Trans>Download my data</Trans>
    </Button>
  );
}
