import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { api } from '@/api/client';
import { fetchData } from '@/api/result';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { showFault } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';
import { Section } from '../section';
import { saveFile } from './save-file';

/** The section with the buttons that download the customer's data and delete the account. */
export function OwnData() {
  const { bonus_programme: programme } = useCity();
  return (
    <Section
      title={<Trans id="profile.own-data.data-belongs-to">Your data belongs to you</Trans>}
      note={
        programme ? (
          <Trans id="profile.own-data.file-with-bonuses">
            The file holds everything we keep about you: profile, orders, addresses, bonuses.
          </Trans>
        ) : (
          <Trans id="profile.own-data.file">
            The file holds everything we keep about you: profile, orders, addresses.
          </Trans>
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
          <Trans id="profile.own-data.delete">Delete the account</Trans>
        </Button>
      </div>
    </Section>
  );
}

/** The button that saves all stored data of the customer as a JSON file. */
function DownloadButton() {
  const { t } = useLingui();
  const download = useMutation({
    mutationFn: () => fetchData(api.GET('/user/export')),
    onSuccess: (data) => {
      const day = data.exported_at.slice(0, 10);
      saveFile(`${data.site}-${day}.json`, data);
      flash(
        t({
          id: 'profile.own-data.file-among-downloads',
          message: 'The file is among your downloads',
        }),
        { tone: 'success' },
      );
    },
    onError: showFault,
  });
  return (
    <Button
      look="secondary"
      icon={Download}
      busy={download.isPending}
      onClick={() => download.mutate()}
    >
      <Trans id="profile.own-data.download-my-data">Download my data</Trans>
    </Button>
  );
}
