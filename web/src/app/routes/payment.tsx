import { PaymentPage } from '@/screens/payment/payment-page';

export default PaymentPage;
