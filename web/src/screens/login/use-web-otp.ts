import { useEffect, useEffectEvent } from 'react';

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/**
 * Takes the code out of the message itself, where the browser can (WebOTP). Asks again for each message,
 * which is known by when it was asked for; undefined while none is waited for.
 */
export function useWebOtp(askedAt: number | undefined, onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  useEffect(() => {
    if (askedAt === undefined || !('OTPCredential' in globalThis)) return;
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
  }, [askedAt]);
}
