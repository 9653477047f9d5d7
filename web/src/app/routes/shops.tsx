import { ShopsPage } from '@/features/place/shops-page';

export default ShopsPage;
