import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { userQuery } from '@/entities/session/queries';
import { useSignOut } from '@/entities/session/sign-out';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/feedback/skeleton';
import { BonusAccounts } from './bonuses/bonus-accounts';
import { Devices } from './devices/devices';
import { LoadFailed } from './load-failed';
import { OwnData } from './own-data/own-data';
import { ProfileForm } from './personal/profile-form';
import { Section } from './section';

/** The tab of the customer's data, bonuses, devices and account. It loads the data again each time it is opened. */
export function PersonalTab() {
  const {
    data: user,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    ...userQuery(),
    refetchOnMount: 'always',
  });
  return (
    <div className="flex flex-col gap-4">
      <Section title={<Trans id="common.personal-data">Personal data</Trans>}>
        {user ? (
          <ProfileForm user={user} />
        ) : isError ? (
          <LoadFailed isBusy={isFetching} retry={() => void refetch()}>
            <Trans id="profile.personal-tab.data-did-not-load">
              Your data did not load. It is safe.
            </Trans>
          </LoadFailed>
        ) : (
          <div aria-busy="true" className="flex flex-col gap-4">
            <Skeleton shape="button" count={5} />
          </div>
        )}
      </Section>
      {user?.is_bonus_programme && <BonusAccounts />}
      <Devices />
      <OwnData />
      <div className="desktop:hidden">
        <SignOutButton />
      </div>
    </div>
  );
}

/** The button that signs out, on this device. */
function SignOutButton() {
  const { isBusy, signOut } = useSignOut();
  return (
    <Button look="secondary" icon={LogOut} wide busy={isBusy} onClick={signOut}>
      <Trans id="common.sign-out">Sign out</Trans>
    </Button>
  );
}
