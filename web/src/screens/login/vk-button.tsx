import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';

interface VkButtonProps {
  look: 'primary' | 'secondary';
  /** Leads to VK; answers only when that did not work. */
  onVk: () => Promise<void>;
}

/** Signs in by VK ID, on the provider's own page. */
export function VkButton({ look, onVk }: VkButtonProps) {
  const { t } = useLingui();
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await onVk();
    setBusy(false);
  };
  return (
    <Button look={look} size="large" wide busy={isBusy} onClick={() => void press()}>
      {t`Sign in with VK ID`}
    </Button>
  );
}
