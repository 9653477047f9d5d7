import { useRef, useState } from 'react';
import { useSite } from '@/entities/site/context';

/**
 * Returns the captcha of a form. `box` has the props of the captcha once the server has refused a call because a
 * captcha is needed. On a site without a captcha the text of the refusal is shown at `field` instead.
 */
export function useCaptcha(field: string) {
  const { captcha } = useSite();
  const [problem, setProblem] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [turn, setTurn] = useState(0);
  const token = useRef<string>(undefined);

  /** Shows the captcha when the refused fields require it. Returns the refused fields that the form must show. */
  const showIfAsked = ({ captcha_user_token: reason, ...others }: Record<string, string>) => {
    if (!reason) return others;
    if (!captcha) return { ...others, [field]: reason };
    setShown(true);
    setProblem(reason);
    setTurn((before) => before + 1);
    return others;
  };

  /** Returns the field with the token for the next call, and forgets the token, which works once. */
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
