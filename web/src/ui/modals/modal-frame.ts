import { createContext, use } from 'react';
import type { ModalName } from './modal-names';

/** The name of a modal, its state and the function that closes it, for the components inside. */
export interface ModalFrame {
  name: ModalName;
  close: () => void;
  /** Whether no other modal is stacked over it. */
  isTop: boolean;
}

export const ModalFrameContext = createContext<ModalFrame | null>(null);

/** Returns the frame of the modal that the component is in; throws elsewhere. */
export function useModalFrame(): ModalFrame {
  const frame = use(ModalFrameContext);
  if (!frame) throw new Error('useModalFrame outside a modal');
  return frame;
}
