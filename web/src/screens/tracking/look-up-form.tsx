import { valibotResolver } from '@hookform/resolvers/valibot';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FieldError, useForm } from 'react-hook-form';
import * as v from 'valibot';
import { api } from '@/api/client';
import { ApiFault, type Failure, fetchData } from '@/api/result';
import { useCity } from '@/entities/city/context';
import { PhoneInput } from '@/entities/contact/phone-input';
import {
  firstPhone,
  maskOf,
  type PhoneMasks,
  type TypedPhone,
} from '@/entities/contact/typed-phone';
import { orderQuery } from '@/entities/order/queries';
import { type PhoneProblem, phoneRule, serverError } from '@/lib/forms';
import { phoneDigits } from '@/lib/phone';
import { Button } from '@/ui/button';
import { showFault } from '@/ui/feedback/show-failure';
import { usePhoneWords } from '@/ui/fields/phone-words';
import { TextField } from '@/ui/fields/text-field';
import { useKeptDraft, withDraft } from '@/ui/hooks/kept-draft';
import { useWhileShown } from '@/ui/hooks/use-while-shown';

interface Found {
  orderId: number;
  cityAlias: string;
}

interface LookUpFormProps {
  /** The number of the order, if it is known. */
  orderId?: number;
  onFound: (order: Found) => void;
}

interface Values extends TypedPhone {
  order_id: string;
}

/** The most digits that the number of an order has. */
const maxDigits = 12;

const numberRequired = 'number-required';

const rulesFor = (mask: string) =>
  v.object({
    order_id: v.pipe(v.string(), v.nonEmpty(numberRequired)),
    phone: phoneRule(mask),
    maskId: v.number(),
  });

/** The errors of the fields in the server's words. */
type Refused = Pick<Values, 'order_id' | 'phone'>;

/** The form that finds an order by its number and phone, and allows this browser to see it. */
export function LookUpForm({ orderId, onFound }: LookUpFormProps) {
  const { t } = useLingui();
  const { phone_masks: masks } = useCity();
  const { form, isBusy, submit } = useLookUp(masks, orderId, onFound);
  const problemText = useProblemText();
  const { errors } = form.formState;
  // A field is checked when it is left unless it is empty, and its error is cleared when it changes.
  const check = (name: 'order_id' | 'phone') => {
    if (form.getValues(name) !== '') void form.trigger(name);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        {...form.register('order_id', {
          onChange: () => form.clearErrors('order_id'),
          onBlur: () => check('order_id'),
        })}
        label={t({ id: 'tracking.look-up-form.order-number', message: 'Order number' })}
        required
        inputMode="numeric"
        autoComplete="off"
        onInput={({ currentTarget: box }) => {
          // An attribute would cut what is pasted before its other letters are taken out.
          const digits = box.value.replace(/\D/g, '').slice(0, maxDigits);
          if (digits !== box.value) box.value = digits;
        }}
        error={problemText(errors.order_id)}
      />
      <PhoneInput
        form={form}
        masks={masks}
        onTyped={() => form.clearErrors('phone')}
        onLeave={() => check('phone')}
        label={t({ id: 'common.field.phone', message: 'Phone' })}
        required
        error={problemText(errors.phone)}
      />
      <Button type="submit" size="large" wide busy={isBusy}>
        <Trans id="common.find-order">Find the order</Trans>
      </Button>
    </form>
  );
}

/**
 * Returns the form of the look-up and the function that sends it. A refusal is shown at its field, any other
 * failure over the page.
 */
function useLookUp(
  masks: PhoneMasks,
  orderId: number | undefined,
  onFound: LookUpFormProps['onFound'],
) {
  const client = useQueryClient();
  const refusalOf = useRefusals();
  const lead = useWhileShown(onFound);
  const form = useForm<Values>({
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    defaultValues: orderId
      ? { order_id: String(orderId), ...firstPhone(masks) }
      : withDraft('look-up', { order_id: '', ...firstPhone(masks) }),
    resolver: (values, context, options) =>
      valibotResolver(rulesFor(maskOf(masks, values.maskId)))(values, context, options),
  });
  const dropDraft = useKeptDraft('look-up', form);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ order_id, phone, maskId }: Values) => {
      const digits = phoneDigits(phone, maskOf(masks, maskId));
      const body = { order_id: Number(order_id), phone: digits };
      return fetchData(api.POST('/order/status', { body }));
    },
    onSuccess: async ({ order_id: found, city_alias: cityAlias }) => {
      dropDraft();
      // The cache may have an earlier refusal of the order.
      await client.resetQueries({ queryKey: orderQuery(found).queryKey });
      lead({ orderId: found, cityAlias });
    },
    onError: (error) => {
      const refused = error instanceof ApiFault ? refusalOf(error.failure) : undefined;
      if (!refused) {
        showFault(error);
        return;
      }
      const first = refused.order_id ? 'order_id' : 'phone';
      for (const [name, message] of Object.entries(refused)) {
        const field = name as keyof Values;
        form.setError(field, { type: serverError, message }, { shouldFocus: field === first });
      }
    },
  });
  const submit = form.handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
  return {
    form,
    isBusy: isPending,
    submit: (event: React.BaseSyntheticEvent) => void submit(event),
  };
}

/**
 * Returns a function that returns the errors of the fields for a refusal: one that names no field is shown at the
 * number, too many attempts at the phone. It returns undefined for any other failure.
 */
function useRefusals(): (failure: Failure) => Partial<Refused> | undefined {
  const { t } = useLingui();
  return (failure) => {
    switch (failure.kind) {
      case 'invalid': {
        const { order_id, phone } = failure.fields;
        const known = { ...(order_id && { order_id }), ...(phone && { phone }) };
        return order_id || phone ? known : { order_id: failure.message };
      }
      case 'notFound':
        return { order_id: failure.message };
      case 'tooMany': {
        const minutes = Math.ceil(failure.retryAfter / 60);
        // The server's sentence gets a full stop, since another sentence follows.
        const why = failure.message.replace(/[^.]$/, '$&.');
        return {
          phone: [
            why,
            t({ id: 'common.try-again-in-min', message: `Try again in ${minutes} min.` }),
          ]
            .filter(Boolean)
            .join(' '),
        };
      }
      default:
        return undefined;
    }
  };
}

/** Returns a function that puts the problem of a field into words: what is wrong and how to correct it. */
function useProblemText() {
  const { t } = useLingui();
  const phoneWords = usePhoneWords();
  return (error: FieldError | undefined): string | undefined => {
    if (!error || error.type === serverError) return error?.message;
    switch (error.message as PhoneProblem | typeof numberRequired) {
      case numberRequired:
        return t({
          id: 'tracking.look-up-form.enter-number-of-order',
          message: 'Enter the number of the order',
        });
      case 'phone-required':
        return t({
          id: 'tracking.look-up-form.enter-phone-order-placed-with',
          message: 'Enter the phone that the order was placed with',
        });
      case 'phone-short':
        return phoneWords('short');
      case 'phone-long':
        return phoneWords('long');
    }
  };
}
