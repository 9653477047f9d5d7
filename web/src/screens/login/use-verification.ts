import { useEffect, useState } from 'react';
import { api } from '@/api/client';
import { attempt } from '@/api/result';
import { forgetInTab, recallInTab, rememberInTab } from '@/lib/storage';
import type { Asked } from './asked';

/** How often it is looked whether a code has left, in milliseconds. */
const lookAgain = 2000;

const key = 'login.asked';
const isMark = (value: unknown): value is true => value === true;

/**
 * The code that this browser waits for. Who reloads the page in the middle goes on where he was: the
 * tab remembers that a code was asked for, the server tells the rest.
 */
export function useVerification() {
  const [asked, setAsked] = useState<Asked>();
  const [isLoading, setLoading] = useState(() => recallInTab(key, isMark) === true);

  const note = (next: Asked) => {
    rememberInTab(key, true);
    setAsked(next);
  };

  useEffect(() => {
    if (!isLoading) return;
    let isGone = false;
    void look().then((found) => {
      if (isGone) return;
      if (!found) forgetInTab(key);
      setAsked(found);
      setLoading(false);
    });
    return () => {
      isGone = true;
    };
  }, [isLoading]);

  const isSending = asked?.told.state === 'sending';
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(async () => {
      const found = await look();
      if (found) setAsked((before) => before && found);
    }, lookAgain);
    return () => clearInterval(timer);
  }, [isSending]);

  return {
    asked,
    isLoading,
    note,
    /** The code has served: nothing is waited for after a reload. */
    done: () => forgetInTab(key),
    /** Looks how many tries are left; a code that the server no longer knows has none. */
    refresh: async () => {
      const found = await look();
      setAsked((before) => before && (found ?? usedUp(before)));
    },
  };
}

const usedUp = ({ told, at }: Asked): Asked => ({ told: { ...told, tries_left: 0 }, at });

async function look(): Promise<Asked | undefined> {
  const result = await attempt(api.GET('/user/verification'));
  const told = result.kind === 'ok' ? result.data.user.verification : undefined;
  return told && { told, at: Date.now() };
}
