import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode, RefObject } from 'react';
import type { Schema } from '@/api/types';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { PhoneInput } from '@/entities/contact/phone-input';
import { maskOf } from '@/entities/contact/typed-phone';
import { useSite } from '@/entities/site/context';
import { phoneDigits } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { type Asked, codeChannels, isUsedUp, resendAt } from './asked';
import { useChannelWords } from './channel-words';
import { useAskCode } from './use-ask-code';
import type { PhoneForm } from './use-phone-form';
import { VkButton } from './vk-button';

type Channel = Schema<'CodeChannel'>;

interface PhoneStepProps {
  phoneForm: PhoneForm;
  /** The code that was requested for the earlier phone, while the visitor changes the phone. */
  asked: Asked | undefined;
  onAsked: (asked: Asked) => void;
  /** Whether the visitor comes from VK, which has named no phone. */
  needsPhone: boolean;
  /** Starts the sign-in by VK ID. */
  onVk: () => Promise<void>;
  phoneRef: RefObject<HTMLInputElement | null>;
}

/**
 * The step with the field for the phone, a button for each channel that sends the code, and a button for VK ID
 * where the site has it and the visitor does not come from there. A notice when the visitor has no way to sign in.
 */
export function PhoneStep({
  phoneForm,
  asked,
  onAsked,
  needsPhone,
  onVk,
  phoneRef,
}: PhoneStepProps) {
  const { t } = useLingui();
  const { notification_channels: offered } = useSite();
  const channels = codeChannels(offered);
  const { requestCode, isBusy, isLocked, captcha } = useCodeRequest({
    phoneForm,
    asked,
    onAsked,
    needsPhone,
  });
  const [first] = channels;
  const isVkFirst = offered[0] === 'vk';
  const hasVk = offered.includes('vk') && !needsPhone;

  if (offered.length === 0 || (needsPhone && !first)) return <Unavailable />;
  const vk = hasVk && <VkButton look={isVkFirst ? 'primary' : 'secondary'} onVk={onVk} />;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (first) requestCode(first);
      }}
      className="flex flex-col gap-4"
    >
      {needsPhone && (
        <Notice>
          <Trans id="login.phone-step.vk-did-not-share-phone">
            VK did not share your phone. Confirm it once, then VK is enough to sign in.
          </Trans>
        </Notice>
      )}
      {isVkFirst && vk}
      {vk && isVkFirst && first && <Or />}
      {first && (
        <>
          <PhoneInput
            form={phoneForm.form}
            masks={phoneForm.masks}
            ref={phoneRef}
            onTyped={() => phoneForm.form.clearErrors('phone')}
            label={t({ id: 'common.field.phone', message: 'Phone' })}
            required
            enterKeyHint="send"
            error={phoneForm.problem}
          />
          {captcha && <CaptchaBox {...captcha} />}
          <ChannelButtons
            channels={channels}
            look={isVkFirst && vk ? 'secondary' : 'primary'}
            isBusy={isBusy}
            isLocked={isLocked}
            onAsk={requestCode}
            onGoOn={asked && (() => onAsked(asked))}
          />
        </>
      )}
      {vk && !isVkFirst && (
        <>
          <Or />
          {vk}
        </>
      )}
    </form>
  );
}

type Asking = Pick<PhoneStepProps, 'phoneForm' | 'asked' | 'onAsked' | 'needsPhone'>;

/**
 * Returns the function that requests a code by a channel, once the phone is complete, with the state of that
 * request.
 */
function useCodeRequest({ phoneForm, asked, onAsked, needsPhone }: Asking) {
  const { form, masks, refuse } = phoneForm;
  const { ask, ...asking } = useAskCode({
    joinsVk: needsPhone,
    onAsked,
    onPhone: (problem) => {
      refuse(problem);
      form.setFocus('phone');
    },
    onRefused: refuse,
  });
  const requestCode = (channel: Channel) => {
    const { phone: typed, maskId } = form.getValues();
    const phone = phoneDigits(typed, maskOf(masks, maskId));
    if (asked && asked.shown.phone === phone && isWaiting(asked)) {
      // The code of this phone is still valid and no other can be requested yet: go back to it.
      onAsked(asked);
      return;
    }
    form.clearErrors('phone');
    void form.handleSubmit(() => ask({ phone, channel }))();
  };
  return { requestCode, ...asking };
}

interface ChannelButtonsProps {
  /** The channels in their order, at least one; the first has the large button. */
  channels: readonly Channel[];
  look: 'primary' | 'secondary';
  isBusy: boolean;
  isLocked: boolean;
  onAsk: (channel: Channel) => void;
  /** Continues to the code that was asked for already; absent when none was. */
  onGoOn: (() => void) | undefined;
}

/** A button for each channel. While they are locked after a press they stay in the focus order. */
function ChannelButtons({
  channels: [first, ...others],
  look,
  isBusy,
  isLocked,
  onAsk,
  onGoOn,
}: ChannelButtonsProps) {
  const { t } = useLingui();
  const words = useChannelWords();
  return (
    <div className="flex flex-col gap-2">
      {first && (
        <Button type="submit" size="large" wide busy={isBusy} aria-disabled={isLocked} look={look}>
          {words.ask(first)}
        </Button>
      )}
      {others.map((channel) => (
        <Button
          key={channel}
          look="quiet"
          wide
          aria-disabled={isBusy || isLocked}
          onClick={() => onAsk(channel)}
        >
          {words.ask(channel)}
        </Button>
      ))}
      {onGoOn && (
        <Button look="quiet" wide onClick={onGoOn}>
          {t({ id: 'login.phone-step.code-already', message: 'I have a code already' })}
        </Button>
      )}
    </div>
  );
}

/** Reports whether a code is still good while no other can be asked for. */
const isWaiting = (asked: Asked) => Date.now() < resendAt(asked) && !isUsedUp(asked, Date.now());

/** The line with the word “or” between two kinds of sign-in. */
const Or = (): ReactNode => (
  <p className="flex items-center gap-3 text-note text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    <Trans id="login.phone-step.or">or</Trans>
  </p>
);

/** The text that no code can be sent now. */
const Unavailable = () => (
  <Notice tone="warn">
    <Trans id="login.signing-in-not-possible-now">
      Signing in is not possible now. Try again later.
    </Trans>
  </Notice>
);
