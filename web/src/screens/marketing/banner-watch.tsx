import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { useCity } from '@/entities/city/context';
import { depthOf } from '@/ui/modals/modal-state';
import { modals, openModal } from '@/ui/modals/modal-store';
import { findBanner, snoozeLeft } from './banner-rules';

/** Reports whether any modal is open. */
const isAnyOpen = () => depthOf(modals.get()) > 0;

/**
 * Shows nothing itself. Opens a banner of the page once the page was shown for the banner's delay without a
 * modal over it.
 */
export default function BannerWatch() {
  const city = useCity();
  const [page] = useLocation();
  const isModalOpen = useSyncExternalStore(modals.subscribe, isAnyOpen);
  const [due, setDue] = useState<{ page: string }>();
  useEffect(() => {
    // No banner opens over a modal; when the modal closes, the effect runs again.
    if (isModalOpen) return;
    const banner = findBanner(city, page);
    if (!banner) return;
    if (due?.page === page && snoozeLeft() === 0) {
      openModal('marketing-banner', { bannerId: banner.id });
      return;
    }
    const wait = Math.max(banner.schedule.delay * 1000, snoozeLeft());
    const timer = setTimeout(() => setDue({ page }), wait);
    return () => clearTimeout(timer);
  }, [city, page, isModalOpen, due]);
  return null;
}
