import { PromotionsPage } from '@/screens/promo/promotions-page';

export default PromotionsPage;
