import { Home } from '@/features/menu/home';

export default Home;
