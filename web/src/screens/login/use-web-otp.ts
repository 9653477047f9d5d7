import { useEffect, useEffectEvent } from 'react';

interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/**
 * Reads the code from the message, where the browser supports that (WebOTP). `askedAt` is when the
 * message was requested: each new time waits for a new message. It is undefined while none is expected.
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
