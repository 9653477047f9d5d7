import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { PhoneInput } from '@/entities/contact/phone-input';
import type { PhoneMasks } from '@/entities/contact/typed-phone';
import type { Orderer } from '@/entities/contact/use-orderer';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { TextField } from '@/ui/fields/text-field';
import type { FieldsProps } from './address-fields';

interface ContactFieldsProps extends FieldsProps {
  masks: PhoneMasks;
  orderer: Orderer;
}

/**
 * The fields for name and phone. Only a guest types a phone; a customer sees their own, others an offer to sign
 * in.
 */
export function ContactFields({ form, problemText, masks, orderer }: ContactFieldsProps) {
  const { t } = useLingui();
  const { bonus_programme: programme } = useCity();
  const { errors } = form.formState;
  return (
    <div className="flex flex-col gap-3">
      <TextField
        {...form.register('username')}
        label={t({ id: 'common.field.name', message: 'Your name' })}
        required
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        error={problemText(errors.username)}
      />
      {orderer.kind === 'customer' && <OwnPhone phone={ownPhone(orderer.user, masks)} />}
      {orderer.kind === 'must-sign-in' && (
        <SignInOffer
          text={
            <Trans id="checkout.form.call-at-number-sign">
              We will call the number you sign in with.
            </Trans>
          }
        />
      )}
      {orderer.kind === 'guest' && (
        <>
          <PhoneInput
            form={form}
            masks={masks}
            label={t({ id: 'common.field.phone', message: 'Phone' })}
            required
            enterKeyHint="done"
            error={problemText(errors.phone)}
          />
          {orderer.canSignIn && (
            <SignInOffer
              text={
                programme ? (
                  <Trans id="checkout.form.ordered-before-addresses-and-bonuses-waiting">
                    Ordered before? Your addresses and bonuses are waiting.
                  </Trans>
                ) : (
                  <Trans id="checkout.form.ordered-before-addresses-waiting">
                    Ordered before? Your addresses are waiting.
                  </Trans>
                )
              }
              form={form}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Returns the phone of a customer in the mask of its country. */
export const ownPhone = ({ phone }: Schema<'UserBrief'>, masks: PhoneMasks): string =>
  writtenPhone(phone, masks);

/** The phone of the account. */
function OwnPhone({ phone }: { phone: string }) {
  return (
    <dl>
      <dt className="text-note strong">
        <Trans id="common.field.phone">Phone</Trans>
      </dt>
      <dd className="numeral">{phone}</dd>
    </dl>
  );
}

interface SignInOfferProps {
  text: ReactNode;
  /** The form in which a phone may have been typed. */
  form?: ContactFieldsProps['form'];
}

/** A text with a quiet button to sign in, which takes along the phone that was typed. */
function SignInOffer({ text, form }: SignInOfferProps) {
  const { t } = useLingui();
  const signIn = () => {
    const typed = form?.getValues();
    requireSignIn('order', typed && { phone: typed.phone, maskId: typed.maskId });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-note text-ink-soft">
      <p className="min-w-0 grow basis-36">{text}</p>
      <Button look="quiet" size="small" onClick={signIn}>
        {t({ id: 'common.sign-in', message: 'Sign in' })}
      </Button>
    </div>
  );
}
