import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type Ref, type SubmitEvent, useRef, useState } from 'react';
import type { Schema } from '@/api/types';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { useCity } from '@/entities/city/context';
import { CountrySelect } from '@/entities/contact/country-select';
import { useWholeNumber } from '@/entities/contact/use-whole-number';
import { useSite } from '@/entities/site/context';
import { phoneDigits, phoneLength } from '@/lib/phone';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { PhoneField } from '@/ui/phone-field';
import { usePhoneWords } from '@/ui/phone-words';
import { type Asked, codeChannels, isUsedUp, resendAt } from './asked';
import { useChannelWords } from './channel-words';
import { useAskCode } from './use-ask-code';
import { VkButton } from './vk-button';

/** A phone as it was typed, in the city's mask of that id. */
export interface TypedPhone {
  phone: string;
  maskId: number;
}

interface PhoneStepProps {
  typed: TypedPhone;
  onType: (typed: TypedPhone) => void;
  /** What was found wrong with the phone after it was sent. */
  problem: string | undefined;
  onProblem: (problem: string | undefined) => void;
  /** The code that is waited for already, while the phone is being changed. */
  asked: Asked | undefined;
  onAsked: (asked: Asked) => void;
  /** Whether VK has been there already and lacks a phone. */
  needsPhone: boolean;
  /** Signs in by VK ID. */
  onVk: () => Promise<void>;
  phoneRef: Ref<HTMLInputElement>;
}

/** Which phone signs in, and by which way its code comes. */
export function PhoneStep(props: PhoneStepProps) {
  const { typed, onType, problem, onProblem, asked, onAsked, needsPhone, onVk, phoneRef } = props;
  const { t } = useLingui();
  const words = useChannelWords();
  const phoneWords = usePhoneWords();
  const { phone_masks: masks } = useCity();
  const { notification_channels: offered } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const [mask, setMask] = useState(() => masks.find(({ id }) => id === typed.maskId) ?? masks[0]);
  const pattern = mask?.mask ?? '+###############';
  const focusPhone = () =>
    form.current?.querySelector<HTMLInputElement>('input[type="tel"]')?.focus();
  const choose = (maskId: number, phone: string) => {
    setMask(masks.find(({ id }) => id === maskId));
    onType({ phone, maskId });
    onProblem(undefined);
  };
  const refuse = (found: string) => {
    onProblem(found);
    focusPhone();
  };
  const onWhole = useWholeNumber(masks, pattern, {
    onCountry: choose,
    onMoved: focusPhone,
    onForeign: (found) => {
      onType({ phone: '', maskId: mask?.id ?? 0 });
      refuse(found);
    },
  });
  const { ask, isBusy, isLocked, captcha } = useAskCode({
    joinsVk: needsPhone,
    onAsked,
    onPhone: refuse,
    onRefused: onProblem,
  });
  const channels = codeChannels(offered);
  const [first] = channels;
  const hasVk = offered.includes('vk') && !needsPhone;

  const askBy = (channel: Schema<'CodeChannel'>) => {
    const phone = phoneDigits(typed.phone, pattern);
    const length = phoneLength(typed.phone, pattern);
    if (asked && asked.told.phone === phone && isWaiting(asked)) {
      // Another one cannot be asked for yet, and this one is still good.
      onAsked(asked);
    } else if (length === 'whole') {
      onProblem(undefined);
      ask({ phone, channel });
    } else {
      refuse(phoneWords(length) ?? t`Enter your phone number`);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (first) askBy(first);
  };

  if (offered.length === 0 || (needsPhone && !first)) return <Unavailable />;
  const vk = hasVk && <VkButton look={offered[0] === 'vk' ? 'primary' : 'secondary'} onVk={onVk} />;
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {needsPhone && (
        <Notice>
          <Trans>VK did not share your phone. Confirm it once, then VK is enough to sign in.</Trans>
        </Notice>
      )}
      {offered[0] === 'vk' && vk}
      {vk && offered[0] === 'vk' && first && <Or />}
      {first && (
        <>
          <CountrySelect
            masks={masks}
            value={mask?.id ?? 0}
            onChange={(maskId) => choose(maskId, '')}
          />
          <PhoneField
            key={pattern}
            ref={phoneRef}
            onWhole={onWhole}
            name="phone"
            mask={pattern}
            label={t`Phone`}
            required
            enterKeyHint="send"
            defaultValue={typed.phone}
            onChange={(event) => {
              onType({ phone: event.target.value, maskId: mask?.id ?? 0 });
              onProblem(undefined);
            }}
            error={problem}
          />
          {captcha && <CaptchaBox {...captcha} />}
          <div className="flex flex-col gap-2">
            <Button
              type="submit"
              size="large"
              wide
              busy={isBusy}
              aria-disabled={isLocked}
              look={offered[0] === 'vk' && vk ? 'secondary' : 'primary'}
            >
              {words.ask(first)}
            </Button>
            {channels.slice(1).map((channel) => (
              <Button
                key={channel}
                look="quiet"
                wide
                aria-disabled={isBusy || isLocked}
                onClick={() => askBy(channel)}
              >
                {words.ask(channel)}
              </Button>
            ))}
            {asked && (
              <Button look="quiet" wide onClick={() => onAsked(asked)}>
                {t`I have a code already`}
              </Button>
            )}
          </div>
        </>
      )}
      {vk && offered[0] !== 'vk' && (
        <>
          <Or />
          {vk}
        </>
      )}
    </form>
  );
}

/** Whether a code is still good while no other can be asked for. */
const isWaiting = (asked: Asked) => Date.now() < resendAt(asked) && !isUsedUp(asked, Date.now());

const Or = (): ReactNode => (
  <p className="flex items-center gap-3 text-note text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    <Trans>or</Trans>
  </p>
);

const Unavailable = () => (
  <Notice tone="warn">
    <Trans>Signing in is not possible now. Try again later.</Trans>
  </Notice>
);
