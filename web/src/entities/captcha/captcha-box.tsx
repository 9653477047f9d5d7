import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Schema } from '@/api/types';
import { useLanguage } from '@/i18n/use-language';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/feedback/notice';
import { drawCaptcha, loadCaptcha } from './captcha-script';

interface CaptchaBoxProps {
  captcha: Schema<'Captcha'>;
  /** Grows with each refusal; then the captcha is drawn again, because a token works once. */
  turn: number;
  /** The reason why the captcha is shown. */
  problem: string | undefined;
  onToken: (token: string | undefined) => void;
}

/** The provider's captcha, whose script is loaded when it is first shown; a retry when it cannot be loaded. */
export function CaptchaBox({ captcha, turn, problem, onToken }: CaptchaBoxProps) {
  const { t } = useLingui();
  const [isBroken, setBroken] = useState(false);
  const [attempts, setAttempts] = useState(0);
  return (
    <div>
      <p className="pb-1.5 text-note strong">
        <Trans id="captcha.box.confirm-not-robot">Confirm that you are not a robot</Trans>
      </p>
      <div hidden={isBroken}>
        <Widget
          key={`${turn} ${attempts}`}
          captcha={captcha}
          onToken={onToken}
          onBroken={() => setBroken(true)}
        />
      </div>
      <p role="alert" className="text-note text-danger empty:hidden">
        {problem}
      </p>
      {isBroken && (
        <Notice
          tone="warn"
          action={
            <Button
              look="secondary"
              size="small"
              onClick={() => {
                setBroken(false);
                setAttempts(attempts + 1);
              }}
            >
              {t({ id: 'common.try-again', message: 'Try again' })}
            </Button>
          }
        >
          <Trans id="captcha.box.check-could-not-be-loaded">
            The check could not be loaded. Check the network or turn off the ad blocker.
          </Trans>
        </Notice>
      )}
    </div>
  );
}

interface WidgetProps extends Pick<CaptchaBoxProps, 'captcha' | 'onToken'> {
  onBroken: () => void;
}

/** The captcha as the provider draws it. It is drawn again when the captcha, the language or the key changes. */
function Widget({ captcha, onToken, onBroken }: WidgetProps) {
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const reportToken = useEffectEvent(onToken);
  const reportFailure = useEffectEvent(onBroken);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    loadCaptcha(captcha)
      .then(() => {
        if (isGone || !box.current) return;
        stop = drawCaptcha(captcha, box.current, {
          siteKey: captcha.site_key,
          language,
          onToken: (token) => reportToken(token),
          onError: () => reportFailure(),
        });
      })
      .catch(() => reportFailure());
    return () => {
      isGone = true;
      stop?.();
    };
  }, [captcha, language]);
  return <div ref={box} className="min-h-16" />;
}
