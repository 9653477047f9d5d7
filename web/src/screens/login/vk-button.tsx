import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Button } from '@/ui/button';

interface VkButtonProps {
  look: 'primary' | 'secondary';
  /** Leads to VK's page; resolves only when that failed. */
  onVk: () => Promise<void>;
}

/** The button that goes to VK's own page to sign in by VK ID. */
export function VkButton({ look, onVk }: VkButtonProps) {
  const { t } = useLingui();
  const { mutate, isPending } = useMutation({ mutationFn: onVk });
  return (
    <Button look={look} size="large" wide busy={isPending} onClick={() => mutate()}>
      {t({ id: 'login.vk-button.sign-in-with-vk-id', message: 'Sign in with VK ID' })}
    </Button>
  );
}
