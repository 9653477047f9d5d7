import { TrackingPage } from '@/screens/tracking/tracking-page';

export default TrackingPage;
