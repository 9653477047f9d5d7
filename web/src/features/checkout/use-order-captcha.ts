import { useRef, useState } from 'react';
import { useSite } from '@/features/city/context';

/** The captcha that a guest who orders much has to solve, where the brand has no sign-in by a code. */
export function useOrderCaptcha() {
  const { captcha } = useSite();
  const [problem, setProblem] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [turn, setTurn] = useState(0);
  const token = useRef<string>(undefined);

  /** Takes the refusal that asks for the captcha out of the others; shows it where there is one. */
  const ask = ({ captcha_user_token: riddle, ...others }: Record<string, string>) => {
    if (!riddle || !captcha) return riddle ? { ...others, order: riddle } : others;
    setShown(true);
    setProblem(riddle);
    setTurn((before) => before + 1);
    return others;
  };

  /** The token for the order that is sent now; it serves once. */
  const spendToken = () => {
    const taken = token.current;
    token.current = undefined;
    return taken ? { captcha_user_token: taken } : {};
  };

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

  return { ask, spendToken, box };
}
