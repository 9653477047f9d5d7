/** Loads a provider's script once. When it does not load, nothing is reported and the page still works. */
export function loadScript(src: string): void {
  if ([...document.scripts].some((script) => script.src === src)) return;
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  document.head.append(script);
}

/** Removes the cookies whose names begin with one of the prefixes, on this host and the domains above it. */
export function removeCookies(...prefixes: string[]): void {
  const parts = location.hostname.split('.');
  const domains = [
    '',
    ...parts.slice(0, -1).map((_, at) => `; Domain=${parts.slice(at).join('.')}`),
  ];
  for (const pair of document.cookie.split('; ')) {
    const name = pair.split('=')[0] ?? '';
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    for (const domain of domains) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
      document.cookie = `${name}=; Path=/; Max-Age=0${domain}`;
    }
  }
}
