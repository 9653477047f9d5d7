import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';

type Channel = Schema<'CodeChannel'>;

/**
 * Returns the labels, by channel, of the buttons that request a code: `ask` for the first code, `again` for
 * later codes.
 */
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
