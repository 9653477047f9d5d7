import { CityList } from '@/features/city/city-list';

export default CityList;
