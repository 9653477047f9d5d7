import { SignInLinkPage } from '@/screens/login/sign-in-link-page';

export default SignInLinkPage;
