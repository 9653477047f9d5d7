import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';

type Channel = Schema<'CodeChannel'>;

/** Returns the labels of buttons that ask for a code by a channel: `ask` the first time, `again` later. */
export function useChannelWords() {
  const { t } = useLingui();
  return {
    ask: (channel: Channel) =>
      channel === 'call'
        ? t({ id: 'login.channel.get-code-by-call', message: 'Get a code by call' })
        : t({ id: 'login.channel.get-code-by-sms', message: 'Get a code by SMS' }),
    again: (channel: Channel) =>
      channel === 'call'
        ? t({ id: 'login.channel.call-me-with-new-code', message: 'Call me with a new code' })
        : t({ id: 'login.channel.send-new-code-by-sms', message: 'Send a new code by SMS' }),
  };
}
