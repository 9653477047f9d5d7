import { BonusPage } from '@/screens/bonus/bonus-page';

export default BonusPage;
