import { useEffect, useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';
import type { Asked } from './asked';

/** How often the server is asked whether a code has been sent, in milliseconds. */
const pollTime = 2000;

const key = 'login.asked';
const isMark = (value: unknown): value is true => value === true;

/**
 * Returns the code that this browser waits for. After a reload the visitor continues where they were:
 * the tab stores that a code was requested, the server has the rest.
 */
export function useVerification() {
  const [asked, setAsked] = useState<Asked>();
  const [isLoading, setLoading] = useState(() => readInTab(key, isMark) === true);

  const note = (next: Asked) => {
    writeInTab(key, true);
    setAsked(next);
  };

  useEffect(() => {
    if (!isLoading) return;
    let isGone = false;
    void findWaiting().then((found) => {
      if (isGone) return;
      if (!found) removeInTab(key);
      setAsked(found);
      setLoading(false);
    });
    return () => {
      isGone = true;
    };
  }, [isLoading]);

  const isSending = asked?.shown.state === 'sending';
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(async () => {
      const found = await findWaiting();
      if (found) setAsked((before) => before && found);
    }, pollTime);
    return () => clearInterval(timer);
  }, [isSending]);

  return {
    asked,
    isLoading,
    note,
    /** Notes that the code was used: after a reload none is waited for. */
    done: () => removeInTab(key),
    /** Reads how many attempts are left; a code that the server does not have any more has none. */
    refresh: async () => {
      const found = await findWaiting();
      setAsked((before) => before && (found ?? toUsedUp(before)));
    },
  };
}

/** Returns a code with no attempts left. */
const toUsedUp = ({ shown, at }: Asked): Asked => ({ shown: { ...shown, tries_left: 0 }, at });

/** Reads from the server which code it waits for; undefined when there is none, or no answer. */
async function findWaiting(): Promise<Asked | undefined> {
  const result = await attempt(api.GET('/user/verification'));
  const shown = result.kind === 'ok' ? result.data.user.verification : undefined;
  return shown && { shown, at: Date.now() };
}
