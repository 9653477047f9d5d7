import { DeliveryPage } from '@/features/place/delivery-page';

export default DeliveryPage;
