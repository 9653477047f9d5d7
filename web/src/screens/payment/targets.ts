import type { Schema } from '@/api/types';

type Next = Schema<'PaymentNext'>;

/** Reports whether an address is safe to open or to load from: it is on https or on this site. */
export function isSafeTarget(address: string | undefined): address is string {
  if (!address) return false;
  try {
    const { protocol, origin } = new URL(address, location.origin);
    return protocol === 'https:' || origin === location.origin;
  } catch {
    return false;
  }
}

/** Returns the fields of the form that is posted to the bank's page of 3-D Secure. */
export function threeDSFields(next: Next): Record<string, string> {
  if (next.reason === '3ds-v2') return { creq: next.cReq ?? '' };
  return { MD: next.MD ?? '', PaReq: next.PaReq ?? '', TermUrl: next.TermUrl ?? '' };
}

/** Posts fields to an address: in place of the page, or into the frame of that name. */
export function postForm(action: string, fields: Record<string, string>, target = '_self'): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = target;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Leads the browser to the bank's page. Returns false, and does nothing, when the page's address is not safe. */
export function goToBank(next: Next): boolean {
  if (next.reason === 'approved-new') {
    if (!isSafeTarget(next.form_url)) return false;
    location.assign(next.form_url);
    return true;
  }
  if (!isSafeTarget(next.AcsUrl)) return false;
  postForm(next.AcsUrl, threeDSFields(next));
  return true;
}

/** Reports whether the device has a touch screen, and so may have the bank's app. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches;

/** Reports whether the page is on a phone, which cannot scan its own screen. */
export const isPhone = (): boolean => isTouched() && matchMedia('(max-width: 1023.98px)').matches;
