import { useSuspenseQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/types';
import { useCity } from '@/features/city/context';
import { Picture } from '@/ui/picture';
import { Price } from '@/ui/price';
import { menuQuery } from './queries';

/** The city's home page: the groups of the menu with their products. */
export function Home() {
  const city = useCity();
  const orderType = city.order_types.delivery ? 'delivery' : 'takeaway';
  const { data: menu } = useSuspenseQuery(menuQuery({ city_id: city.id, order_type: orderType }));
  return (
    <main className="mx-auto max-w-[90rem] px-4 py-6">
      <h1 className="title text-display">{city.name}</h1>
      {menu.product_groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </main>
  );
}

function Group({ group }: { group: Schema<'ProductGroup'> }) {
  return (
    <section aria-labelledby={`group-${group.id}`} className="mt-8">
      <h2 id={`group-${group.id}`} className="title text-title">
        {group.name}
      </h2>
      <ul className="mt-4 grid grid-cols-1 gap-4 desktop:grid-cols-3 wide:grid-cols-4">
        {group.products.map((product) => (
          <li key={product.key} className="flex justify-between gap-4 rounded-card bg-surface p-4">
            <div className="min-w-0">
              <h3 className="strong">{product.name}</h3>
              <Price amount={product.price} oldAmount={product.basic_price} />
            </div>
            <Picture picture={product.images.small} alt="" shape="dish" />
          </li>
        ))}
      </ul>
    </section>
  );
}
