import { useLingui } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import type { Schema } from '@/api/types';
import { FieldFrame, fieldBox } from '@/ui/fields/field-frame';
import { Icon } from '@/ui/icon';

interface CountrySelectProps {
  masks: Schema<'City'>['phone_masks'];
  value: number;
  onChange: (maskId: number) => void;
}

/** The choice of the country of a phone number; nothing when there is only one. */
export function CountrySelect({ masks, value, onChange }: CountrySelectProps) {
  const { t } = useLingui();
  const id = useId();
  if (masks.length < 2) return null;
  return (
    <FieldFrame
      id={id}
      label={t({
        id: 'contact.country-select.country-of-number',
        message: 'Country code',
      })}
    >
      <span className="relative flex items-center">
        <select
          id={id}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(Number(event.target.value))}
          className={`${fieldBox()} min-h-12 cursor-pointer appearance-none pe-11 [&>option]:bg-surface [&>option]:text-ink`}
        >
          {masks.map((mask) => (
            <option key={mask.id} value={mask.id}>
              {mask.name} {mask.code}
            </option>
          ))}
        </select>
        <span className="pointer-events-none absolute inset-e-3.5">
          <Icon of={ChevronDown} size="small" />
        </span>
      </span>
    </FieldFrame>
  );
}
