/** Returns a link that calls the number. Apart from `phone`, whose rules only forms need. */
export function callHref(phone: string): string {
  return `tel:${phone.trim().startsWith('+') ? '+' : ''}${phone.replace(/\D/g, '')}`;
}
