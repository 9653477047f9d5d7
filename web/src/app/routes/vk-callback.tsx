import { VkCallbackPage } from '@/screens/login/vk-callback-page';

export default VkCallbackPage;
