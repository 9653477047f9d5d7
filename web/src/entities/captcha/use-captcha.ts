import { useRef, useState } from 'react';
import { useSite } from '@/entities/site/context';

/**
 * Returns the captcha of a call. It is shown once the server has refused the call because a captcha is
 * needed. On a site that has no captcha, the refusal's text is shown at `field` instead.
 */
export function useCaptcha(field: string) {
  const { captcha } = useSite();
  const [problem, setProblem] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [turn, setTurn] = useState(0);
  const token = useRef<string>(undefined);

  /** Shows the captcha when the refused fields ask for it. Returns the fields that the form has to show. */
  const showIfAsked = ({ captcha_user_token: reason, ...others }: Record<string, string>) => {
    if (!reason || !captcha) return reason ? { ...others, [field]: reason } : others;
    setShown(true);
    setProblem(reason);
    setTurn((before) => before + 1);
    return others;
  };

  /** Returns the token for the call that is sent now; it works once. */
  const spendToken = () => {
    const taken = token.current;
    token.current = undefined;
    return taken ? { captcha_user_token: taken } : {};
  };

  const hide = () => setShown(false);

  const box =
    captcha && isShown
      ? {
          captcha,
          turn,
          problem,
          onToken: (solved: string | undefined) => {
            token.current = solved;
            if (solved) setProblem(undefined);
          },
        }
      : undefined;

  return { showIfAsked, spendToken, hide, box };
}
