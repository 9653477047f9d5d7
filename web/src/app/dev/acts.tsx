import { Flame, Heart, Phone, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Chip, LabelChip } from '@/ui/chip';
import { announce } from '@/ui/feedback/announcer';
import { Counter, PriceCounter } from '@/ui/fields/counter';
import { flash } from '@/ui/flash/flash-store';
import { IconButton } from '@/ui/icon-button';
import { InfoPopover } from '@/ui/info-popover';
import { ButtonLink, Link } from '@/ui/link';
import { openModal } from '@/ui/modals/modal-store';
import { useMoney } from '@/ui/money';
import { Price } from '@/ui/price';
import { Section } from './section';

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const;
const tones = ['info', 'success', 'warning', 'error'] as const;

/** The parts of the kit that are pressed, for the development page. */
export function Acts() {
  const [count, setCount] = useState(0);
  return (
    <>
      <Buttons />
      <Links />
      <Chips />
      <Counters count={count} setCount={setCount} />
      <Messages onBringBack={() => setCount(1)} />
    </>
  );
}

function Buttons() {
  const money = useMoney();
  return (
    <Section title="Buttons">
      <InfoPopover label="What is needed" title="For the gift">
        A roll and a soup
      </InfoPopover>
      {looks.map((look) => (
        <Button key={look} look={look}>
          {look}
        </Button>
      ))}
      <Button size="small">Small</Button>
      <Button size="large" icon={Plus}>
        Large
      </Button>
      <Button busy>Busy</Button>
      <Button disabled>Disabled</Button>
      <Button price={money(1349.5)}>Add</Button>
      <IconButton icon={Search} label="Search" />
      <IconButton icon={Heart} label="Like" look="filled" />
      <IconButton icon={Plus} label="Add" look="accent" />
      <IconButton icon={Phone} label="Call" look="floating" />
    </Section>
  );
}

function Links() {
  return (
    <Section title="Links">
      <Link href="/dev/kit">In the text</Link>
      <Link href="/dev/kit" look="plain">
        In a header
      </Link>
      <ButtonLink href="/dev/kit" look="secondary">
        The next step
      </ButtonLink>
    </Section>
  );
}

function Chips() {
  const [pressed, setPressed] = useState(true);
  return (
    <Section title="Chips">
      <Chip pressed={pressed} onClick={() => setPressed(!pressed)}>
        Extra cheese
      </Chip>
      <Chip icon={Flame}>Hot</Chip>
      <Chip disabled>Sold out</Chip>
      <LabelChip tone="accent">new</LabelChip>
      <LabelChip tone="good">vegan</LabelChip>
      <LabelChip tone="warn">spicy</LabelChip>
      <LabelChip>set</LabelChip>
    </Section>
  );
}

function Counters({ count, setCount }: { count: number; setCount: (count: number) => void }) {
  return (
    <Section title="Prices and counters">
      <Price amount={349.5} size="small" />
      <Price amount={1349} oldAmount={1500} />
      <Price amount={12345} size="large" />
      <PriceCounter name="Philadelphia" price={1349.5} count={count} max={99} onChange={setCount} />
      <PriceCounter name="Wok" from price={420} count={0} max={99} onChange={setCount} />
      <Counter name="Philadelphia" count={99} max={99} onChange={setCount} />
      <Counter name="Philadelphia" count={1} min={1} max={99} onChange={setCount} />
    </Section>
  );
}

function Messages({ onBringBack }: { onBringBack: () => void }) {
  return (
    <Section title="Messages">
      {tones.map((tone) => (
        <Button key={tone} look="secondary" onClick={() => flash(`This is ${tone}`, { tone })}>
          Flash {tone}
        </Button>
      ))}
      <Button
        look="secondary"
        onClick={() =>
          flash('Philadelphia is removed', {
            action: { label: 'Undo', run: onBringBack },
          })
        }
      >
        Flash with a way back
      </Button>
      <Button look="secondary" onClick={() => announce('Three things in the cart')}>
        Announce
      </Button>
      <Button
        look="secondary"
        onClick={() => openModal('server-error', { message: 'The oven broke', reference: 'f-17' })}
      >
        Server error
      </Button>
    </Section>
  );
}
