import { ShopsPage } from '@/screens/place/shops-page';

export default ShopsPage;
