import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { holdCartChanges } from '@/entities/cart/queries';
import { useCity } from '@/entities/city/context';
import { serverError } from '@/lib/forms';
import { writtenPhone } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { showFailure } from '@/ui/feedback/show-failure';
import { CodeField } from '@/ui/fields/code-field';
import { useSecondsUntil } from '@/ui/hooks/use-seconds-until';
import { type Asked, codeIn, expiresAt, isUsedUp } from './asked';
import { Resend } from './resend';
import { useWebOtp } from './use-web-otp';

interface CodeStepProps {
  asked: Asked;
  /** Whether the code joins the VK account that came back without a phone. */
  joinsVk: boolean;
  onAsked: (asked: Asked) => void;
  /** Reads the state of the code from the server again. */
  onStale: () => Promise<void>;
  onSignedIn: (user: Schema<'UserBrief'>) => void;
  onChangePhone: (problem?: string) => void;
}

/**
 * The step with the field for the code, which is checked after its last digit, and help for a code that does not
 * come.
 */
export function CodeStep(props: CodeStepProps) {
  const { asked, joinsVk, onAsked, onStale, onSignedIn, onChangePhone } = props;
  const { t } = useLingui();
  const { shown } = asked;
  const length = shown.code_length;
  const field = useRef<HTMLInputElement>(null);
  const { form, check, isChecking } = useCheck({
    onSignedIn,
    onStale,
    onRefused: () => field.current?.focus(),
  });
  // Renders again until the code has expired.
  useSecondsUntil(expiresAt(asked));
  const isUnusable = isUsedUp(asked, Date.now());
  const code = useWatch({ control: form.control, name: 'code' });
  const problem = form.formState.errors.code?.message;

  const enter = (text: string) => {
    if (isChecking || isUnusable) return;
    const digits = codeIn(text, length);
    form.setValue('code', digits);
    if (digits !== '') form.clearErrors('code');
    // The same digits are checked again only by the button.
    if (digits.length === length && digits !== code) check(digits);
  };
  usePaste(enter);
  useWebOtp(shown.channel === 'sms' && !isUnusable ? asked.at : undefined, enter);
  useEffect(() => field.current?.focus(), []);

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((typed) => {
        if (typed.code.length === length && !isChecking) check(typed.code);
      })}
      className="flex flex-col gap-4"
    >
      <div>
        <WhereItComes verification={shown} />
        <span className="-ms-3 inline-block">
          <Button look="quiet" size="small" onClick={() => onChangePhone()}>
            {t({ id: 'login.code-step.change-number', message: 'Change the number' })}
          </Button>
        </span>
      </div>
      <CodeField
        ref={field}
        name="code"
        label={t({ id: 'login.code-step.code', message: 'Code' })}
        length={length}
        value={code}
        onChange={enter}
        readOnly={isChecking}
        disabled={isUnusable && !isChecking}
        aria-busy={isChecking || undefined}
        error={
          problem ??
          (isUnusable
            ? t({
                id: 'login.code-step.code-can-no-longer',
                message: 'This code can no longer be used. Ask for a new one.',
              })
            : undefined)
        }
      />
      {code.length === length && (
        <Button type="submit" size="large" wide busy={isChecking}>
          {t({ id: 'common.sign-in', message: 'Sign in' })}
        </Button>
      )}
      {shown.state === 'failed' && <NotDelivered />}
      <Resend asked={asked} joinsVk={joinsVk} onAsked={onAsked} onPhone={onChangePhone} />
    </form>
  );
}

/** The notice that the code could not be delivered, with advice. */
function NotDelivered() {
  return (
    <Notice
      tone="warn"
      title={
        <Trans id="login.code-step.code-could-not-be-delivered">
          The code could not be delivered
        </Trans>
      }
    >
      <Trans id="login.code-step.check-number-or-ask">
        Check the number or ask for the code another way.
      </Trans>
    </Notice>
  );
}

/** The text by which channel the code comes, and to which phone. */
function WhereItComes({ verification }: { verification: Schema<'Verification'> }) {
  const { phone_masks: masks } = useCity();
  const { channel, code_length: length } = verification;
  const phone = unbroken(writtenPhone(verification.phone, masks));
  return (
    <p>
      {channel === 'call' ? (
        <Trans id="login.code-step.calling-enter-code-hear">
          We are calling {phone}. Enter the code you hear, or the last {length} digits of the
          calling number.
        </Trans>
      ) : (
        <Trans id="login.code-step.code-on-way">A code is on its way to {phone} by SMS.</Trans>
      )}
    </p>
  );
}

/** Returns the phone with spaces and hyphens that do not break the line. */
const unbroken = (phone: string) => phone.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011');

interface CheckListeners {
  onSignedIn: (user: Schema<'UserBrief'>) => void;
  onStale: () => Promise<void>;
  onRefused: () => void;
}

/** Returns the form of the code and the function that has the server check it. A refusal empties the field. */
function useCheck({ onSignedIn, onStale, onRefused }: CheckListeners) {
  const { t } = useLingui();
  const client = useQueryClient();
  const form = useForm({ defaultValues: { code: '' } });
  const refuse = (failure: Failure) => {
    // The server has not decided: the digits stay and can be sent again.
    if (['offline', 'unavailable', 'server'].includes(failure.kind)) {
      showFailure(failure);
      return;
    }
    const message = 'message' in failure ? failure.message : '';
    const shown = failure.kind === 'invalid' ? failure.fields.code : undefined;
    form.setValue('code', '');
    form.setError('code', {
      type: serverError,
      message:
        shown || message || t({ id: 'login.code-step.code-wrong', message: 'This code is wrong.' }),
    });
    onRefused();
    void onStale();
  };
  const { mutate: check, isPending: isChecking } = useMutation({
    mutationFn: (digits: string) =>
      holdCartChanges(client, () =>
        attempt(api.POST('/user/check-verification-code', { body: { code: digits } })),
      ),
    onSuccess: (result) => {
      if (result.kind === 'ok') onSignedIn(result.data.user);
      else refuse(result);
    },
  });
  return { form, isChecking, check };
}

/**
 * Calls `onText` with a text with digits that is pasted anywhere on the page, instead of the browser's own
 * pasting.
 */
function usePaste(onText: (text: string) => void) {
  const enterText = useEffectEvent(onText);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      if (!/\d/.test(text)) return;
      event.preventDefault();
      enterText(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
