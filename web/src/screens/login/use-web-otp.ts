import { useEffect, useEffectEvent } from 'react';

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/**
 * Calls `onCode` with the code of a text message, in browsers that can read it (WebOTP). `askedAt` is when the
 * message was requested: each new value starts waiting again, and undefined stops it.
 */
export function useWebOtp(askedAt: number | undefined, onCode: (code: string) => void): void {
  const enterCode = useEffectEvent(onCode);
  useEffect(() => {
    if (askedAt === undefined || !('OTPCredential' in globalThis)) return;
    const stop = new AbortController();
    const request: OtpRequest = { otp: { transport: ['sms'] }, signal: stop.signal };
    navigator.credentials.get(request).then(
      (given) => {
        if (given && 'code' in given) enterCode(String(given.code));
      },
      // The visitor has refused, or the page has changed: they type the code.
      () => undefined,
    );
    return () => stop.abort();
  }, [askedAt]);
}
