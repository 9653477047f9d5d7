import { useEffect, useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';
import type { Asked } from './asked';

/** How often the server is asked whether a code has been sent, in milliseconds. */
const pollTime = 2000;

const key = 'login.asked';
/** Reports whether the tab's stored mark is valid: it is always `true`. */
const isMark = (value: unknown): value is true => value === true;

/**
 * Returns the code that this browser waits for, with functions that change it. After a reload the sign-in goes
 * on: the tab stores that a code was requested, and the server has its state.
 */
export function useVerification() {
  const [asked, setAsked] = useState<Asked>();
  const [isLoading, setLoading] = useState(() => readInTab(key, isMark) === true);

  /** Sets the code that is waited for, and marks the tab so that a reload finds it. */
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
    /** Removes the tab's mark because the code was used. */
    done: () => removeInTab(key),
    /** Loads how many attempts are left; a code that the server no longer has counts as one without attempts. */
    refresh: async () => {
      const found = await findWaiting();
      setAsked((before) => before && (found ?? toUsedUp(before)));
    },
  };
}

/** Returns a code with no attempts left. */
const toUsedUp = ({ shown, at }: Asked): Asked => ({ shown: { ...shown, tries_left: 0 }, at });

/** Loads the code that the server waits for; undefined when there is none or the call fails. */
export async function findWaiting(): Promise<Asked | undefined> {
  const result = await attempt(api.GET('/user/verification'));
  const shown = result.kind === 'ok' ? result.data.user.verification : undefined;
  return shown && { shown, at: Date.now() };
}
