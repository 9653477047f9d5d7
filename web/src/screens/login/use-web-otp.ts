import { useEffect, useEffectEvent } from 'react';

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/** Takes the code out of the message itself, where the browser can (WebOTP). Asks again for each `turn`. */
export function useWebOtp(isWanted: boolean, turn: number, onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message is waited for at each turn
  useEffect(() => {
    if (!isWanted || !('OTPCredential' in globalThis)) return;
    const stop = new AbortController();
    const request: OtpRequest = { otp: { transport: ['sms'] }, signal: stop.signal };
    navigator.credentials.get(request).then(
      (given) => {
        if (given && 'code' in given) take(String(given.code));
      },
      // The visitor said no, or the page went on: they type the code.
      () => undefined,
    );
    return () => stop.abort();
  }, [isWanted, turn]);
}
