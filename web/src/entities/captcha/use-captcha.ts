import { useRef, useState } from 'react';
import { useSite } from '@/entities/site/context';

/**
 * A captcha that a call has to be sent with once its refusal asked for it; field says so where the
 * page has none to show.
 */
export function useCaptcha(field: string) {
  const { captcha } = useSite();
  const [problem, setProblem] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [turn, setTurn] = useState(0);
  const token = useRef<string>(undefined);

  /** Takes the refusal that asks for the captcha out of the others; shows it where there is one. */
  const ask = ({ captcha_user_token: riddle, ...others }: Record<string, string>) => {
    if (!riddle || !captcha) return riddle ? { ...others, [field]: riddle } : others;
    setShown(true);
    setProblem(riddle);
    setTurn((before) => before + 1);
    return others;
  };

  /** The token for the call that is sent now; it serves once. */
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

  return { ask, spendToken, hide, box };
}
