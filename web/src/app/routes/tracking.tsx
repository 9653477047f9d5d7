import { TrackingPage } from '@/features/tracking/tracking-page';

export default TrackingPage;
