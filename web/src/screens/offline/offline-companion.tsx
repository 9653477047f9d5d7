import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLanguage } from '@/i18n/use-language';
import type { CityClock } from '@/lib/wall-time';
import { followConnection } from './connection';
import { OfflineNotice } from './offline-notice';
import { type OfflineCity, prepareCity, registerWorker } from './worker-link';

interface OfflineCompanionProps {
  /** The city on the screen; absent before a city is chosen. */
  city?: OfflineCity & CityClock & { phone: string };
}

/**
 * The notice of a lost connection. It also registers the service worker, follows the connection and has the
 * worker store the city's pages.
 */
export default function OfflineCompanion({ city }: OfflineCompanionProps) {
  const client = useQueryClient();
  const language = useLanguage();
  const { id, alias } = city ?? {};
  useEffect(registerWorker, []);
  useEffect(() => followConnection(client), [client]);
  useEffect(() => {
    return id !== undefined && alias ? prepareCity({ id, alias }, language) : undefined;
  }, [id, alias, language]);
  return <OfflineNotice phone={city?.phone} clock={city} />;
}
