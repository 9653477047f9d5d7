import { useState } from 'react';
import { Checkbox } from '@/ui/fields/checkbox';
import { CodeField } from '@/ui/fields/code-field';
import { PhoneField } from '@/ui/fields/phone-field';
import { RadioGroup } from '@/ui/fields/radio-group';
import { SegmentedSwitch } from '@/ui/fields/segmented-switch';
import { SuggestField } from '@/ui/fields/suggest-field';
import { Switch } from '@/ui/fields/switch';
import { TextArea } from '@/ui/fields/text-area';
import { TextField } from '@/ui/fields/text-field';
import { Section } from './section';

const streets = ['Lenina, 1', 'Lenina, 12', 'Lesnaya, 3'];
const ways = [
  { value: 'delivery', label: 'Delivery' },
  { value: 'takeaway', label: 'Takeaway' },
] as const;
const payments = [
  { value: 'cash', label: 'Cash', note: 'Change is brought' },
  { value: 'card', label: 'Card to the courier', end: '0 %' },
  { value: 'online', label: 'Online', disabled: true },
];

/** The parts of the kit that are filled in, for the development page. */
export function Fields() {
  const [way, setWay] = useState<'delivery' | 'takeaway'>('delivery');
  const [payment, setPayment] = useState('cash');
  const [isOn, setOn] = useState(true);
  const [street, setStreet] = useState('');
  const [code, setCode] = useState('12');
  const found = street.length > 1 ? streets.filter((name) => name.startsWith(street)) : [];
  return (
    <Section title="Fields">
      <div className="grid w-full grid-cols-1 gap-4 desktop:grid-cols-2">
        <TextField label="Name" autoComplete="name" required />
        <TextField label="Flat" hint="Leave it empty for a house" inputMode="numeric" />
        <TextField label="E-mail" error="There is no @ in it" defaultValue="anna.example.org" />
        <TextField label="Change from" prefix="₽" />
        <TextField label="Disabled" disabled defaultValue="Can't be changed" />
        <PhoneField label="Phone" mask="+7 (###) ###-##-##" />
        <CodeField label="Code" length={4} value={code} onChange={setCode} />
        <CodeField
          label="Wrong code"
          length={6}
          value=""
          onChange={setCode}
          error="This code is wrong"
        />
        <TextArea label="Comment" />
        <SuggestField
          label="Address"
          value={street}
          onChange={setStreet}
          suggestions={found}
          keyOf={(name) => name}
          textOf={(name) => name}
          renderItem={(name) => name}
          onChoose={setStreet}
        />
        <Checkbox label="No cutlery" note="Good for the planet" defaultChecked />
        <Switch label="Pay with bonuses" note="30 B" checked={isOn} onChange={() => setOn(!isOn)} />
        <Switch label="Disabled" note="The balance is empty" disabled />
        <SegmentedSwitch label="How" options={ways} value={way} onChange={setWay} />
        <RadioGroup legend="Payment" options={payments} value={payment} onChange={setPayment} />
        <RadioGroup
          legend="Payment in cards"
          layout="cards"
          options={payments}
          value={undefined}
          onChange={setPayment}
          error="Choose how to pay"
        />
      </div>
    </Section>
  );
}
