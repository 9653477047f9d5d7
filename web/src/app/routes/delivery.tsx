import { DeliveryPage } from '@/screens/place/delivery-page';

export default DeliveryPage;
