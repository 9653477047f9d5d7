import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Button } from '@/ui/button';

interface VkButtonProps {
  look: 'primary' | 'secondary';
  /** Leads to VK; resolves only when that did not work. */
  onVk: () => Promise<void>;
}

/** Signs in by VK ID, on the provider's own page. */
export function VkButton({ look, onVk }: VkButtonProps) {
  const { t } = useLingui();
  const { mutate, isPending } = useMutation({ mutationFn: onVk });
  return (
    <Button look={look} size="large" wide busy={isPending} onClick={() => mutate()}>
      {t({ id: 'login.vk-button.sign-in-with-vk-id', message: 'Sign in with VK ID' })}
    </Button>
  );
}
