import type { Schema } from '@/api/types';

/** Returns how many minutes an order for delivery takes in the kitchen of the shop; more while it is busy. */
export const cookingForDelivery = ({ cooking_time, busy_minutes }: Schema<'Shop'>) =>
  cooking_time + (busy_minutes?.delivery ?? 0);
