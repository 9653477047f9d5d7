import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { showFailure } from '@/ui/feedback/show-failure';
import type { Asked } from './asked';
import { findWaiting } from './use-verification';

type Channel = Schema<'CodeChannel'>;

/** How long further presses do nothing after a press of the button, in milliseconds. */
const lockTime = 3000;

interface Question {
  /** Digits with the country's prefix. */
  phone: string;
  channel: Channel;
}

interface Asking {
  /** Whether the code is to join the VK account that came back without a phone. */
  joinsVk: boolean;
  onAsked: (asked: Asked) => void;
  /** Called with what the server finds wrong with the phone itself. */
  onPhone: (problem: string) => void;
  /** Called with any other reason why no code was sent: too many were, or this channel does not work. */
  onRefused: (reason: string) => void;
}

/**
 * Returns the function that requests a code from the server, after a captcha where the site or the server
 * requires one, with its state.
 */
export function useAskCode({ joinsVk, onAsked, onPhone, onRefused }: Asking) {
  const { t } = useLingui();
  const { id: cityId } = useCity();
  const [isLocked, lock] = useLock();
  const gate = useCaptchaGate();

  const refuse = (failure: Failure) => {
    switch (failure.kind) {
      case 'invalid': {
        const { phone, captcha_user_token: captchaReason, ...others } = failure.fields;
        if (phone) onPhone(phone);
        else if (!captchaReason || !gate.show(captchaReason))
          onRefused(Object.values(others)[0] || failure.message);
        return;
      }
      case 'tooMany':
        onRefused(
          failure.message ||
            t({
              id: 'login.ask-code.too-many-attempts',
              message: 'Too many attempts. Please try again later',
            }),
        );
        return;
      case 'notFound':
      case 'forbidden':
        onRefused(
          failure.message ||
            t({
              id: 'login.signing-in-not-possible-now',
              message: 'Signing in is not possible now. Try again later.',
            }),
        );
        return;
      default:
        showFailure(failure);
    }
  };

  const { mutate: send, isPending: isBusy } = useMutation({
    mutationFn: async ({ phone, channel }: Question) => {
      const body = {
        city_id: cityId,
        phone,
        notify_channel: channel,
        captcha_user_token: gate.token(),
        join_vk: joinsVk,
      };
      const result = await attempt(api.POST('/user/login', { body }));
      if (result.kind !== 'ok') return { failure: result, asked: await findSent(result, phone) };
      return { asked: { shown: result.data.user.verification, at: Date.now() } };
    },
    onSuccess: ({ failure, asked }) => {
      gate.renew();
      if (asked) onAsked(asked);
      else if (failure) refuse(failure);
    },
  });

  return {
    isBusy,
    /** Whether presses do nothing, because one has just been made. */
    isLocked,
    /** Requests a code. Further presses within three seconds do nothing. */
    ask: (question: Question) => {
      if (isBusy || isLocked) return;
      if (gate.blocks(() => send(question))) return;
      lock();
      send(question);
    },
    /** The props of the captcha; absent while none is shown. */
    captcha: gate.box,
  };
}

/**
 * Returns the code that is on its way to the phone although its request failed: the answer was lost, now or before,
 * when the server refuses to send another so soon. Otherwise returns undefined.
 */
async function findSent({ kind }: Failure, phone: string): Promise<Asked | undefined> {
  if (kind !== 'offline' && kind !== 'tooMany') return undefined;
  const found = await findWaiting();
  return found && found.shown.phone === phone && found.shown.timer > 0 ? found : undefined;
}

/**
 * Returns the state of the captcha that may be required before a code is requested, and the functions that show
 * and renew it.
 */
function useCaptchaGate() {
  const { t } = useLingui();
  const { captcha } = useSite();
  const [isShown, setShown] = useState(captcha?.always ?? false);
  const [turn, setTurn] = useState(0);
  const [problem, setProblem] = useState<string>();
  const token = useRef<string>(undefined);
  /** The function to call when the captcha is solved. */
  const waiting = useRef<() => void>(undefined);
  const onToken = (given: string | undefined) => {
    token.current = given;
    const onward = waiting.current;
    waiting.current = undefined;
    setProblem(undefined);
    if (given) onward?.();
  };
  return {
    token: () => token.current,
    /** Drops the captcha's token, which works once, and shows a new captcha. */
    renew: () => {
      token.current = undefined;
      setTurn((before) => before + 1);
    },
    /** Shows the captcha with the reason. It returns false when the site has no captcha. */
    show: (why: string) => {
      if (!captcha) return false;
      setShown(true);
      setProblem(why);
      return true;
    },
    /**
     * Reports whether the captcha has to be solved first. If so, it shows the reason and calls `onward` once the
     * captcha is solved.
     */
    blocks: (onward: () => void) => {
      if (!isShown || token.current) return false;
      waiting.current = onward;
      setProblem(
        t({
          id: 'login.ask-code.confirm-first',
          message: 'Confirm this first, and we will send the code.',
        }),
      );
      return true;
    },
    box: captcha && isShown ? { captcha, turn, problem, onToken } : undefined,
  };
}

/**
 * Returns whether the button is locked, which it is for three seconds after a press, and the function that locks
 * it.
 */
function useLock() {
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    if (!isLocked) return;
    const timer = setTimeout(() => setLocked(false), lockTime);
    return () => clearTimeout(timer);
  }, [isLocked]);
  return [isLocked, () => setLocked(true)] as const;
}
