import { readStored, writeStored } from '@/lib/storage';

/** Who ordered last on this device. */
export interface Contact {
  username: string;
  /** As it was typed, in its mask. */
  phone: string;
  maskId: number;
  /** The address for receipts; absent where none was asked for. */
  email?: string;
}

const key = 'contact';

/** Reports whether a stored value is a contact. */
const isContact = (value: unknown): value is Contact => {
  const { username, phone, maskId, email } = (value ?? {}) as Record<keyof Contact, unknown>;
  return (
    typeof username === 'string' &&
    typeof phone === 'string' &&
    typeof maskId === 'number' &&
    (email === undefined || typeof email === 'string')
  );
};

/** Returns the contact of the last order from this device; undefined when there is none. */
export const readContact = () => readStored(key, isContact);

/**
 * Stores the contact for 256 days. It must be called only after an order was placed, because only then the
 * visitor agrees.
 */
export const writeContact = (contact: Contact) => writeStored(key, contact);
