import { BackToHomePage } from '@/features/payment-return/back-to-home-page';

export default BackToHomePage;
