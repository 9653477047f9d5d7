import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { CaptchaBox } from '@/entities/captcha/captcha-box';
import { Button } from '@/ui/button';
import { announce, removeAnnouncement } from '@/ui/feedback/announcer';
import { useSecondsUntil } from '@/ui/hooks/use-seconds-until';
import { type Asked, clockText, codeChannels, resendAt } from './asked';
import { useChannelWords } from './channel-words';
import { useAskCode } from './use-ask-code';

interface ResendProps {
  asked: Asked;
  joinsVk: boolean;
  onAsked: (asked: Asked) => void;
  onPhone: (problem: string) => void;
}

/** The seconds until another code can be requested, then a button for each channel. */
export function Resend({ asked, joinsVk, onAsked, onPhone }: ResendProps) {
  const { t } = useLingui();
  const words = useChannelWords();
  const { phone, channels } = asked.shown;
  const seconds = useSecondsUntil(resendAt(asked));
  const [problem, setProblem] = useState<string>();
  const { ask, isBusy, isLocked, captcha } = useAskCode({
    joinsVk,
    onAsked: (next) => {
      setProblem(undefined);
      onAsked(next);
    },
    onPhone,
    onRefused: setProblem,
  });
  useAnnouncedOnce(
    seconds === 0,
    t({
      id: 'login.resend.can-ask-for-another-code',
      message: 'You can ask for another code now.',
    }),
  );
  const clock = clockText(seconds);
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      {seconds > 0 ? (
        <p className="text-note text-ink-soft">
          {/* A screen reader reads it on request; announced every second it would interrupt everything else. */}
          <span role="timer" aria-live="off">
            <Trans id="login.resend.another-code-in">
              Another code in <span className="numeral-column">{clock}</span>
            </Trans>
          </span>
        </p>
      ) : (
        <>
          {captcha && <CaptchaBox {...captcha} />}
          <div className="flex flex-wrap gap-2">
            {codeChannels(channels).map((channel) => (
              <Button
                key={channel}
                look="secondary"
                busy={isBusy}
                aria-disabled={isLocked}
                onClick={() => ask({ phone, channel })}
              >
                {words.again(channel)}
              </Button>
            ))}
          </div>
        </>
      )}
      <p role="alert" className="text-note text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/** Announces a text when `isTrue` becomes true after the first render; removes it when the component unmounts. */
function useAnnouncedOnce(isTrue: boolean, text: string) {
  const before = useRef(isTrue);
  useEffect(() => {
    if (isTrue && !before.current) announce(text);
    before.current = isTrue;
  }, [isTrue, text]);
  useEffect(() => () => removeAnnouncement(text), [text]);
}
