import { Acts } from '@/app/dev/acts';
import { Fields } from '@/app/dev/fields';
import { Shapes } from '@/app/dev/shapes';
import { MoneyProvider } from '@/ui/money';

/** Every part of the kit in all its states; exists during development only. */
export default function DevKit() {
  return (
    <MoneyProvider currency="RUB" fractional={false}>
      <main className="mx-auto max-w-6xl px-4 py-8">
        <h1 className="title text-display">Kit</h1>
        <Acts />
        <Fields />
        <Shapes />
      </main>
    </MoneyProvider>
  );
}
