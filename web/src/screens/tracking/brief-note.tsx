import { Trans } from '@lingui/react/macro';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { useUser } from '@/entities/session/session';
import { useSite } from '@/entities/site/context';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';

/** The note how to see the hidden details of an order that was opened by its number and phone. */
export function BriefNote() {
  const { is_auth_enabled: canSignIn } = useSite();
  const { user } = useUser();
  const signIn = (
    <Button look="secondary" size="small" onClick={() => requireSignIn()}>
      <Trans id="common.sign-in">Sign in</Trans>
    </Button>
  );
  return (
    <Notice tone="info" action={canSignIn && !user ? signIn : undefined}>
      {canSignIn ? (
        <Trans id="tracking.brief-note.private-or-sign-in">
          To keep your details private, the name, phone and address are not shown here. Open the
          link from your order confirmation or sign in with the phone of the order to see them.
        </Trans>
      ) : (
        <Trans id="tracking.brief-note.private">
          To keep your details private, the name, phone and address are not shown here. Open the
          link from your order confirmation to see them.
        </Trans>
      )}
    </Notice>
  );
}
