/** Returns the group in the query of an address; null when there is none. */
export function groupOf(search: string): string | null {
  return new URLSearchParams(search).get('group') || null;
}

/**
 * Returns the query of an address with the group set or removed. It returns null when the address must stay as
 * it is: it has that group already, opens a modal, or came from a campaign.
 */
export function withGroup(search: string, group: string | null): string | null {
  const query = new URLSearchParams(search);
  if (query.has('modal') || query.has('utm_source')) return null;
  if ((query.get('group') || null) === group) return null;
  if (group === null) query.delete('group');
  else query.set('group', group);
  const text = query.toString();
  return text ? `?${text}` : '';
}
