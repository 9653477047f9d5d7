import { CheckoutPage } from '@/screens/checkout/checkout-page';

export default CheckoutPage;
