import { Trans, useLingui } from '@lingui/react/macro';
import { type BaseSyntheticEvent, useId } from 'react';
import { type Control, Controller } from 'react-hook-form';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Checkbox } from '@/ui/fields/checkbox';
import { RadioGroup } from '@/ui/fields/radio-group';
import { TextField } from '@/ui/fields/text-field';
import { BirthdayField } from './birthday-field';
import type { ProfileValues } from './form-rules';
import { useProblemText } from './problem-text';
import { useProfileForm } from './use-profile-form';

/** The form of the customer's data and consents. */
export function ProfileForm({ user }: { user: Schema<'User'> }) {
  const { t } = useLingui();
  const { phone_masks: masks } = useCity();
  const { form, save } = useProfileForm(user);
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;
  const problemText = useProblemText();
  const submit = (event: BaseSyntheticEvent) => void save(event);
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label={t({ id: 'common.field.phone', message: 'Phone' })}
        value={writtenPhone(user.phone, masks)}
        readOnly
        type="tel"
        autoComplete="off"
        hint={t({
          id: 'profile.personal.sign-in-with-number',
          message: 'You sign in with this number, so it cannot be changed here.',
        })}
        error={problemText(errors.phone)}
      />
      <TextField
        {...register('name')}
        label={t({ id: 'common.field.name', message: 'Your name' })}
        required
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
        error={problemText(errors.name)}
      />
      <SexField control={control} error={problemText(errors.sex)} />
      <div className="grid grid-cols-1 gap-4 min-[36rem]:grid-cols-2">
        <BirthdayField
          {...register('birthday')}
          label={t({ id: 'profile.personal.birthday', message: 'Birthday' })}
          placeholder={t({
            id: 'profile.personal.dd-mm-yyyy',
            message: 'DD.MM.YYYY',
            comment: 'How a birthday is typed',
          })}
          enterKeyHint="next"
          error={problemText(errors.birthday)}
        />
        <TextField
          {...register('email')}
          label={t({ id: 'profile.personal.email', message: 'E-mail' })}
          type="email"
          inputMode="email"
          autoComplete="email"
          enterKeyHint="done"
          error={problemText(errors.email)}
        />
      </div>
      <Consents consents={user.consents} form={form} />
      <div className="desktop:self-start">
        <Button type="submit" size="large" wide busy={isSubmitting}>
          <Trans id="profile.personal.save">Save</Trans>
        </Button>
      </div>
    </form>
  );
}

interface SexFieldProps {
  control: Control<ProfileValues>;
  error: string | undefined;
}

/** The optional choice of the sex. */
function SexField({ control, error }: SexFieldProps) {
  const { t } = useLingui();
  return (
    <Controller
      control={control}
      name="sex"
      render={({ field }) => (
        // On phones the last of the three fills a row of its own.
        <div className="max-[40rem]:[&_label:last-of-type]:col-span-full">
          <RadioGroup
            legend={<Trans id="profile.personal.sex-if-like">Sex (optional)</Trans>}
            layout="cards"
            value={field.value || undefined}
            onChange={field.onChange}
            options={[
              { value: 'female', label: t({ id: 'profile.personal.female', message: 'Female' }) },
              { value: 'male', label: t({ id: 'profile.personal.male', message: 'Male' }) },
              {
                value: 'none',
                label: t({ id: 'profile.personal.rather-not-say', message: 'Rather not say' }),
              },
            ]}
            error={error}
          />
        </div>
      )}
    />
  );
}

interface ConsentsProps {
  consents: Schema<'User'>['consents'];
  form: ReturnType<typeof useProfileForm>['form'];
}

/** The checkboxes of the optional consents; nothing when the site has none. */
function Consents({ consents, form }: ConsentsProps) {
  const problemText = useProblemText();
  const { errors } = form.formState;
  if (consents.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">
        <Trans id="common.what-you-agree-to">What you agree to</Trans>
      </legend>
      {consents.map(({ kind, text }) => (
        <Consent key={kind} error={problemText(errors[kind])}>
          {(errorId) => (
            <Checkbox {...form.register(kind)} label={text} aria-describedby={errorId} />
          )}
        </Consent>
      ))}
    </fieldset>
  );
}

interface ConsentProps {
  error: string | undefined;
  children: (errorId: string | undefined) => React.ReactNode;
}

/** The checkbox of a consent, from `children`, with the server's error below it. */
function Consent({ error, children }: ConsentProps) {
  const id = useId();
  return (
    <div>
      {children(error && id)}
      {error && (
        <p id={id} className="text-note text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
