import { SignInLinkPage } from '@/features/login/sign-in-link-page';

export default SignInLinkPage;
