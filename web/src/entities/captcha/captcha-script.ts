import type { Schema } from '@/api/types';

type Captcha = Schema<'Captcha'>;

interface Widget {
  siteKey: string;
  language: string;
  /** Called with the token of a solved captcha, which works for one call; with undefined once it has expired. */
  onToken: (token: string | undefined) => void;
  onError: () => void;
}

interface SmartCaptcha {
  render(
    box: HTMLElement,
    options: { sitekey: string; hl: string; callback: (token: string) => void },
  ): number;
  subscribe(id: number, event: 'token-expired' | 'network-error', listener: () => void): void;
  destroy(id: number): void;
}

interface Turnstile {
  render(box: HTMLElement, options: Record<string, unknown>): string;
  remove(id: string): void;
}

declare global {
  interface Window {
    smartCaptcha?: SmartCaptcha;
    turnstile?: Turnstile;
    onCaptchaReady?: () => void;
  }
}

const sources: Record<Captcha['provider'], string> = {
  smartcaptcha:
    'https://smartcaptcha.yandexcloud.net/captcha.js?render=onload&onload=onCaptchaReady',
  turnstile:
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=onCaptchaReady',
};

let loading: Promise<void> | undefined;

/** Loads the provider's script once, when it is first needed. Rejects when it cannot be loaded. */
export function loadCaptcha({ provider }: Captcha): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    window.onCaptchaReady = resolve;
    const script = document.createElement('script');
    script.src = sources[provider];
    script.async = true;
    script.onerror = () => {
      script.remove();
      loading = undefined;
      reject(new Error(`the script of ${provider} cannot be loaded`));
    };
    document.head.append(script);
  });
  return loading;
}

/** Draws the captcha into a box and returns a function that removes it. It throws unless the script is loaded. */
export function drawCaptcha({ provider }: Captcha, box: HTMLElement, widget: Widget): () => void {
  return provider === 'turnstile' ? drawTurnstile(box, widget) : drawSmartCaptcha(box, widget);
}

/** Draws Yandex's captcha; returns a function that removes it. */
function drawSmartCaptcha(box: HTMLElement, { siteKey, language, onToken, onError }: Widget) {
  const captcha = window.smartCaptcha;
  if (!captcha) throw new Error('smartCaptcha is not loaded');
  const id = captcha.render(box, { sitekey: siteKey, hl: language, callback: onToken });
  captcha.subscribe(id, 'token-expired', () => onToken(undefined));
  captcha.subscribe(id, 'network-error', onError);
  return () => captcha.destroy(id);
}

/** Draws Cloudflare's captcha; returns a function that removes it. */
function drawTurnstile(box: HTMLElement, { siteKey, language, onToken, onError }: Widget) {
  const captcha = window.turnstile;
  if (!captcha) throw new Error('turnstile is not loaded');
  const id = captcha.render(box, {
    sitekey: siteKey,
    language,
    theme: 'auto',
    size: 'flexible',
    callback: onToken,
    'expired-callback': () => onToken(undefined),
    'error-callback': onError,
  });
  return () => captcha.remove(id);
}
