import { valibotResolver } from '@hookform/resolvers/valibot';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type Resolver, useForm } from 'react-hook-form';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { userQuery } from '@/entities/session/queries';
import { refreshUser } from '@/entities/session/session';
import { serverError } from '@/lib/forms';
import { wallTime } from '@/lib/wall-time';
import { showFailure } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { type FieldName, type ProfileValues, rulesOn, toUpdate, toValues } from './form-rules';

/** The form's fields by the server's names of them. */
const fieldOf: Record<string, FieldName> = {
  phone: 'phone',
  name: 'name',
  sex: 'sex',
  birthday: 'birthday',
  email: 'email',
  is_subscribed: 'news',
  is_print_fiscal_receipt: 'paperless_receipts',
};

/**
 * Returns the form of the profile and the function that saves it. Typed values stay when the server's data is
 * loaded again, also in another language, and those typed while the form is being saved.
 */
export function useProfileForm(user: Schema<'User'>) {
  const { t } = useLingui();
  const client = useQueryClient();
  const city = useCity();
  const resolver: Resolver<ProfileValues> = (values, context, options) => {
    const rules = rulesOn(wallTime(Date.now(), city));
    return valibotResolver(rules, undefined, { raw: true })(values, context, options);
  };
  const form = useForm<ProfileValues>({
    mode: 'onTouched',
    values: toValues(user),
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    resolver,
  });
  const { dirtyFields } = form.formState;

  const save = form.handleSubmit(async (values) => {
    const changed = new Set(Object.keys(dirtyFields) as FieldName[]);
    const body = { city_id: city.id, ...toUpdate(values, changed, user.consents) };
    const result = await attempt(api.PUT('/user/update', { body }));
    if (result.kind === 'ok') {
      const saved = result.data.user;
      client.setQueryData(userQuery().queryKey, saved);
      refreshUser(client, saved);
      const current = form.getValues();
      form.reset(toValues(saved), { keepDirtyValues: false, keepErrors: false });
      for (const field of Object.values(fieldOf)) {
        const isChanged = current[field] !== values[field];
        if (isChanged) form.setValue(field, current[field], { shouldDirty: true });
      }
      flash(t({ id: 'profile.personal.data-saved', message: 'Your data is saved' }), {
        tone: 'success',
      });
      return;
    }
    const fields = result.kind === 'invalid' || result.kind === 'conflict' ? result.fields : {};
    const known = Object.entries(fields).filter(([name]) => fieldOf[name]);
    if (known.length === 0) showFailure(result);
    known.forEach(([name, message], place) => {
      const field = fieldOf[name];
      if (field) form.setError(field, { type: serverError, message }, { shouldFocus: place === 0 });
    });
  });

  return { form, save };
}
