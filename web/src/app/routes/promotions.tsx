import { PromotionsPage } from '@/features/promo/promotions-page';

export default PromotionsPage;
