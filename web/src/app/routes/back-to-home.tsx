import { BackToHomePage } from '@/screens/payment-return/back-to-home-page';

export default BackToHomePage;
