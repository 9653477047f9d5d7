import { BonusPage } from '@/features/bonus/bonus-page';

export default BonusPage;
