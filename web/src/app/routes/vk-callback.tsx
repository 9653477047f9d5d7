import { VkCallbackPage } from '@/features/login/vk-callback-page';

export default VkCallbackPage;
