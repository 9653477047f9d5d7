import { CityList } from '@/screens/cities/city-list';

export default CityList;
