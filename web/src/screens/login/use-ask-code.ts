import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '@/api/client';
import { attempt, type Failure } from '@/api/result';
import type { Schema } from '@/api/types';
import { useCity } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { showFailure } from '@/ui/show-failure';
import type { Asked } from './asked';

type Channel = Schema<'CodeChannel'>;

/** How long a press of the button is the last one, in milliseconds. */
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
  /** What the server finds wrong with the phone itself. */
  onPhone: (problem: string) => void;
  /** What else keeps a code from being sent: too many were, or this way does not work. */
  onRefused: (reason: string) => void;
}

/** Asks the server for a code, with the captcha between where the site or the server wants one. */
export function useAskCode({ joinsVk, onAsked, onPhone, onRefused }: Asking) {
  const { t } = useLingui();
  const { captcha } = useSite();
  const { id: cityId } = useCity();
  const [isLocked, lock] = useLock();
  const [isCaptchaShown, showCaptcha] = useState(captcha?.always ?? false);
  const [turn, setTurn] = useState(0);
  const token = useRef<string>(undefined);
  /** What is asked as soon as the captcha is solved. */
  const waiting = useRef<Question>(undefined);
  const [captchaProblem, setCaptchaProblem] = useState<string>();

  const refuse = (failure: Failure) => {
    switch (failure.kind) {
      case 'invalid': {
        const { phone, captcha_user_token: riddle, ...others } = failure.fields;
        if (phone) onPhone(phone);
        else if (riddle && captcha) {
          showCaptcha(true);
          setCaptchaProblem(riddle);
        } else onRefused(Object.values(others)[0] || failure.message);
        return;
      }
      case 'tooMany':
        onRefused(failure.message || t`Too many attempts! Try again later`);
        return;
      case 'notFound':
      case 'forbidden':
        onRefused(failure.message || t`Signing in is not possible now. Try again later.`);
        return;
      default:
        showFailure(failure);
    }
  };

  const { mutate: send, isPending: isBusy } = useMutation({
    mutationFn: ({ phone, channel }: Question) => {
      const body = {
        city_id: cityId,
        phone,
        notify_channel: channel,
        captcha_user_token: token.current,
        join_vk: joinsVk,
      };
      return attempt(api.POST('/user/login', { body }));
    },
    onSuccess: (result) => {
      token.current = undefined;
      setTurn((before) => before + 1);
      if (result.kind === 'ok') onAsked({ shown: result.data.user.verification, at: Date.now() });
      else refuse(result);
    },
  });

  return {
    isBusy,
    /** Whether presses do nothing, because one has just been made. */
    isLocked,
    /** Asks for a code. Presses within three seconds are one press. */
    ask: (question: Question) => {
      if (isBusy || isLocked) return;
      if (isCaptchaShown && !token.current) {
        waiting.current = question;
        setCaptchaProblem(t`Confirm this first, then we send the code.`);
        return;
      }
      lock();
      send(question);
    },
    /** What the captcha needs; absent while there is none to show. */
    captcha:
      captcha && isCaptchaShown
        ? {
            captcha,
            turn,
            problem: captchaProblem,
            onToken: (given: string | undefined) => {
              token.current = given;
              const question = waiting.current;
              waiting.current = undefined;
              setCaptchaProblem(undefined);
              if (given && question) send(question);
            },
          }
        : undefined,
  };
}

/** Locked for three seconds after a press. */
function useLock() {
  const [isLocked, setLocked] = useState(false);
  useEffect(() => {
    if (!isLocked) return;
    const timer = setTimeout(() => setLocked(false), lockTime);
    return () => clearTimeout(timer);
  }, [isLocked]);
  return [isLocked, () => setLocked(true)] as const;
}
