import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { CountrySelect } from '@/entities/contact/country-select';
import type { Orderer } from '@/entities/contact/use-orderer';
import { useWholeNumber } from '@/entities/contact/use-whole-number';
import { requireSignIn } from '@/entities/session/require-sign-in';
import { serverError } from '@/lib/forms';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { PhoneField } from '@/ui/fields/phone-field';
import { TextField } from '@/ui/fields/text-field';
import type { FieldsProps } from './address-fields';

type Masks = Schema<'City'>['phone_masks'];

interface ContactFieldsProps extends FieldsProps {
  masks: Masks;
  mask: string;
  orderer: Orderer;
}

/**
 * The fields for name and phone. Only a guest types a phone; a customer sees their own, others an offer to sign
 * in.
 */
export function ContactFields({ form, problemText, masks, mask, orderer }: ContactFieldsProps) {
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
          <GuestPhone {...{ form, problemText, masks, mask }} />
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
export const ownPhone = ({ phone }: Schema<'UserBrief'>, masks: Masks): string =>
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

/** A guest's phone, in the mask of the city, or of the chosen country when there are several. */
function GuestPhone({ form, problemText, masks, mask }: Omit<ContactFieldsProps, 'orderer'>) {
  const { t } = useLingui();
  // After a change of the country the number is typed again, unless the whole number is known.
  const chooseCountry = (maskId: number, phone = '') => {
    form.setValue('maskId', maskId);
    form.setValue('phone', phone);
    form.clearErrors('phone');
  };
  const onWhole = useWholeNumber(masks, mask, {
    onCountry: chooseCountry,
    onMoved: () => form.setFocus('phone'),
    onForeign: (message) => {
      form.setValue('phone', '');
      form.setError('phone', { type: serverError, message });
    },
  });
  return (
    <>
      <Controller
        control={form.control}
        name="maskId"
        render={({ field }) => (
          <CountrySelect
            masks={masks}
            value={field.value}
            onChange={(maskId) => chooseCountry(maskId)}
          />
        )}
      />
      <PhoneField
        {...form.register('phone')}
        key={mask}
        mask={mask}
        onWhole={onWhole}
        label={t({ id: 'common.field.phone', message: 'Phone' })}
        required
        enterKeyHint="done"
        error={problemText(form.formState.errors.phone)}
      />
    </>
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
      <p className="min-w-0 flex-1">{text}</p>
      <Button look="quiet" size="small" onClick={signIn}>
        {t({ id: 'common.sign-in', message: 'Sign in' })}
      </Button>
    </div>
  );
}
