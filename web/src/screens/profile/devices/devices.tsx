import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { api } from '@/api/client';
import { attempt, type Result } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { Button } from '@/ui/button';
import { LabelChip } from '@/ui/chip';
import { showFailure } from '@/ui/feedback/show-failure';
import { Skeleton } from '@/ui/feedback/skeleton';
import { flash } from '@/ui/flash/flash-store';
import { Icon } from '@/ui/icon';
import { LoadFailed } from '../load-failed';
import { useMomentWords } from '../moment-words';
import { devicesQuery } from '../queries';
import { Section } from '../section';

type Device = Schema<'UserSession'>;

/** The section with the devices on which the customer is signed in, each of which can be signed out. */
export function Devices() {
  const { data: devices, isError, isFetching, refetch } = useQuery(devicesQuery());
  return (
    <Section
      title={<Trans id="profile.devices.where-signed-in">Where you are signed in</Trans>}
      note={
        <Trans id="profile.devices.sign-out">
          Sign out of devices you do not know or no longer use.
        </Trans>
      }
    >
      {devices ? (
        <DeviceList devices={devices} />
      ) : isError ? (
        <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
          <Trans id="profile.devices.list-did-not-load">The list did not load.</Trans>
        </LoadFailed>
      ) : (
        <div aria-busy="true" className="flex flex-col gap-4">
          <Skeleton shape="line" count={2} />
        </div>
      )}
    </Section>
  );
}

/** The devices, with a button that signs out all others where there are several. */
function DeviceList({ devices }: { devices: readonly Device[] }) {
  const { t } = useLingui();
  const end = useEndSessions(
    t({
      id: 'profile.devices.all-other-devices-signed-out',
      message: 'You are signed out on all other devices',
    }),
  );
  const others = devices.filter((device) => !device.is_current);
  return (
    <>
      <ul className="flex flex-col divide-y divide-line">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
      {others.length > 1 && (
        <div className="mt-3">
          <Button
            look="secondary"
            busy={end.isPending}
            onClick={() => end.mutate(() => attempt(api.DELETE('/user/sessions')))}
          >
            <Trans id="profile.devices.sign-out-everywhere-else">Sign out everywhere else</Trans>
          </Button>
        </div>
      )}
    </>
  );
}

/** A device with its last use, and the button that signs it out. */
function DeviceRow({ device }: { device: Device }) {
  const { t } = useLingui();
  const momentWords = useMomentWords();
  const { id, is_current: isCurrent, seen_at: seenAt } = device;
  const name =
    device.device || t({ id: 'profile.devices.unknown-device', message: 'Unknown device' });
  const end = useEndSessions(
    t({ id: 'profile.devices.signed-out-named', message: `${name} is signed out` }),
  );
  const seen = momentWords(seenAt);
  const endSession = () =>
    end.mutate(() => attempt(api.DELETE('/user/sessions/{id}', { params: { path: { id } } })));
  return (
    <li className="flex items-center gap-3 py-3">
      <span className="text-ink-soft">
        <Icon of={MonitorSmartphone} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block">{name}</span>
        <span className="block text-note text-ink-soft">
          {isCurrent ? (
            <Trans id="profile.devices.here-and-now">Active now</Trans>
          ) : (
            <Trans id="profile.devices.last-used">Last used: {seen}</Trans>
          )}
        </span>
      </span>
      {isCurrent ? (
        <LabelChip tone="good">
          {t({ id: 'profile.devices.this-device', message: 'This device' })}
        </LabelChip>
      ) : (
        <Button
          look="secondary"
          size="small"
          busy={end.isPending}
          onClick={endSession}
          aria-label={t({ id: 'profile.devices.sign-out-of', message: `Sign out of ${name}` })}
        >
          <Trans id="common.sign-out">Sign out</Trans>
        </Button>
      )}
    </li>
  );
}

/**
 * Returns the mutation that runs a call which ends sessions. On success it stores the remaining sessions from
 * the answer and shows `successText`. It shows a failure too, and then loads the sessions again: they may have ended.
 */
function useEndSessions(successText: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (call: () => Promise<Result<{ sessions: Device[] }>>) =>
      repeatUntilKnown(call, { policy: repeatLost }),
    onSuccess: (result) => {
      const { queryKey } = devicesQuery();
      if (result.kind !== 'ok') {
        showFailure(result);
        if (result.kind !== 'unauthenticated') void client.invalidateQueries({ queryKey });
        return;
      }
      client.setQueryData(queryKey, result.data.sessions);
      flash(successText, { tone: 'success' });
    },
  });
}
