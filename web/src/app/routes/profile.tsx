import { ProfilePage } from '@/screens/profile/profile-page';

export default ProfilePage;
