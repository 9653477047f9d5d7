/** Returns the ids of the elements that describe a field as one attribute; undefined when there are none. */
export function joinIds(...ids: (string | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(' ') || undefined;
}
