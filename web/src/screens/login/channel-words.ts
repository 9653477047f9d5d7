import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';

type Channel = Schema<'CodeChannel'>;

/** What a button says that asks for a code by a channel, for the first time or again. */
export function useChannelWords() {
  const { t } = useLingui();
  return {
    ask: (channel: Channel) => (channel === 'call' ? t`Get a code by call` : t`Get a code by SMS`),
    again: (channel: Channel) =>
      channel === 'call' ? t`Call me with a new code` : t`Send a new code by SMS`,
  };
}
