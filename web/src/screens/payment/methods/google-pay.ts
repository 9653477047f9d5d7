import type { Schema } from '@/api/types';
import { loadScript } from './load-script';

const source = 'https://pay.google.com/gp/p/js/pay.js';

interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ result: boolean }>;
  loadPaymentData(
    request: object,
  ): Promise<{ paymentMethodData: { tokenizationData: { token: string } } }>;
}

declare global {
  interface Window {
    google?: {
      payments: {
        api: { PaymentsClient: new (options: { environment: string }) => PaymentsClient };
      };
    };
  }
}

const version = { apiVersion: 2, apiVersionMinor: 0 };
const card = {
  type: 'CARD',
  parameters: {
    allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
    allowedCardNetworks: ['AMEX', 'MASTERCARD', 'VISA'],
  },
};

/** Google's sheet for one payment. */
export interface GoogleSheet {
  /** Shows the sheet after a press. Resolves to the token for the acquirer; undefined when the sheet was closed. */
  open: () => Promise<string | undefined>;
}

interface Bill {
  settings: Schema<'PaymentSettings'>;
  total: number;
  currency: string;
  country: string;
  seller: string;
}

/**
 * Loads Google's script and prepares the sheet for a bill. Resolves to `unreachable` when the script did not load,
 * and to `none` when the sheet cannot be used here.
 */
export async function prepareGooglePay(bill: Bill): Promise<GoogleSheet | 'unreachable' | 'none'> {
  const { settings, total, currency, country, seller } = bill;
  try {
    await loadScript(source);
  } catch {
    return 'unreachable';
  }
  try {
    const Client = window.google?.payments.api.PaymentsClient;
    if (!Client) return 'none';
    const client = new Client({ environment: settings.is_sandbox ? 'TEST' : 'PRODUCTION' });
    const { result } = await client.isReadyToPay({ ...version, allowedPaymentMethods: [card] });
    if (!result) return 'none';
    const request = {
      ...version,
      allowedPaymentMethods: [{ ...card, tokenizationSpecification: gatewayOf(settings) }],
      merchantInfo: { merchantName: seller },
      transactionInfo: {
        totalPriceStatus: 'FINAL',
        totalPrice: total.toFixed(2),
        currencyCode: currency,
        countryCode: country,
      },
    };
    return {
      open: async () => {
        try {
          const { paymentMethodData } = await client.loadPaymentData(request);
          return paymentMethodData.tokenizationData.token;
        } catch {
          return undefined;
        }
      },
    };
  } catch {
    return 'none';
  }
}

/** Returns the part of Google's request that names the gateway which decrypts the token. */
const gatewayOf = ({ gateway, gateway_merchant: merchant }: Bill['settings']) => ({
  type: 'PAYMENT_GATEWAY',
  parameters: { gateway, gatewayMerchantId: merchant },
});
