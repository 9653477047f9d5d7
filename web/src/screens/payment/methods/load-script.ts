const loading = new Map<string, Promise<void>>();

/**
 * Loads a script of another site, at most once however often it is called. Rejects when the script cannot be
 * loaded; the next call then loads it again.
 */
export function loadScript(address: string): Promise<void> {
  const known = loading.get(address);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading.delete(address);
      reject(new Error('a script cannot be loaded'));
    };
    document.head.append(script);
  });
  loading.set(address, loaded);
  return loaded;
}
