import { Autocomplete } from '@base-ui/react/autocomplete';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classes } from '../classes';
import { Spinner } from '../feedback/spinner';
import { FieldFrame, type FieldText, fieldBox, labelId, noteId } from './field-frame';

interface SuggestFieldProps<Item> extends FieldText {
  value: string;
  onChange: (text: string) => void;
  /** The suggestions for the text, the best first; the field does not filter them. */
  suggestions: readonly Item[];
  keyOf: (item: Item) => string;
  /** Returns the text of the field after an item was chosen. */
  textOf: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  onChoose: (item: Item) => void;
  /** Called for Enter without a highlighted suggestion. */
  onSubmit?: () => void;
  loading?: boolean;
  placeholder?: string;
  autoComplete?: string;
}

/** A text field with a list of suggestions for its text, used with arrows, Enter and Escape. Any text is accepted. */
export function SuggestField<Item>({
  label,
  hideLabel,
  hint,
  error,
  value,
  onChange,
  suggestions,
  keyOf,
  textOf,
  renderItem,
  onChoose,
  onSubmit,
  loading = false,
  placeholder,
  autoComplete,
}: SuggestFieldProps<Item>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // An open list hides the rest of the page from screen readers; an empty one must not.
  const isShown = isOpen && suggestions.length > 0;
  const { box, nameButtons } = useDismissNames();
  // The first Escape after typing must not close the dialog around, since it may be meant for the list.
  const [isGuarded, setGuarded] = useState(false);
  const onValueChange = (text: string, { reason }: { reason: string }) => {
    // Base UI would clear the text on Escape.
    if (reason === 'escape-key') return;
    setGuarded(reason === 'input-change' && text !== '');
    onChange(text);
    if (reason !== 'item-press') return;
    const chosen = suggestions.find((item) => textOf(item) === text);
    if (chosen) onChoose(chosen);
  };
  return (
    <Autocomplete.Root
      items={suggestions}
      mode="none"
      value={value}
      onValueChange={onValueChange}
      open={isShown}
      onOpenChange={setOpen}
      itemToStringValue={textOf}
    >
      <FieldFrame {...{ id, label, hideLabel, hint, error }}>
        <span ref={box} className="relative block">
          <Autocomplete.Input
            id={id}
            // An open list hides the label too: only a reference to it still names the box.
            aria-labelledby={labelId(id)}
            placeholder={placeholder}
            autoComplete={autoComplete}
            aria-invalid={error ? true : undefined}
            aria-describedby={noteId(id)}
            onKeyDown={(event) => {
              const hasHighlight = event.currentTarget.getAttribute('aria-activedescendant');
              if (event.key === 'Enter' && !hasHighlight) onSubmit?.();
              if (event.key === 'Escape' && isGuarded && !isShown) {
                event.preventDefault();
                event.stopPropagation();
                setGuarded(false);
              }
            }}
            className={classes(fieldBox(Boolean(error)), 'min-h-12 pe-10')}
          />
          {loading && (
            <span className="absolute inset-y-0 end-3 grid place-items-center text-ink-soft">
              <Spinner silent />
            </span>
          )}
        </span>
      </FieldFrame>
      <Suggestions keyOf={keyOf} renderItem={renderItem} nameButtons={nameButtons} />
    </Autocomplete.Root>
  );
}

interface SuggestionsProps<Item> extends Pick<SuggestFieldProps<Item>, 'keyOf' | 'renderItem'> {
  nameButtons: (within: HTMLElement | null) => void;
}

/** The list of suggestions below the field. */
function Suggestions<Item>({ keyOf, renderItem, nameButtons }: SuggestionsProps<Item>) {
  const { t } = useLingui();
  return (
    <Autocomplete.Portal>
      <Autocomplete.Positioner
        ref={nameButtons}
        sideOffset={4}
        className="z-60 outline-none data-empty:hidden"
      >
        <Autocomplete.Popup
          aria-label={t({ id: 'ui.suggest-field.suggestions', message: 'Suggestions' })}
          className="max-h-[min(24rem,var(--available-height))] w-(--anchor-width) overflow-y-auto overscroll-contain rounded-[min(var(--radius-card),16px)] border border-line bg-surface p-1 text-ink shadow-high"
        >
          <Autocomplete.List>
            {(item: Item) => (
              <Autocomplete.Item
                key={keyOf(item)}
                value={item}
                className="flex min-h-11 cursor-pointer flex-col justify-center rounded-[min(var(--radius-control),12px)] px-3 py-1.5 outline-none data-highlighted:bg-raised"
              >
                {renderItem(item)}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}

/**
 * Translates the labels of Base UI's hidden buttons that close the list: in the element of the ref `box`
 * whenever they are added, in any other element by `nameButtons`.
 */
function useDismissNames() {
  const { t } = useLingui();
  const box = useRef<HTMLSpanElement>(null);
  const closeLabel = t({
    id: 'ui.suggest-field.close-suggestions',
    message: 'Close the suggestions',
  });
  useEffect(() => {
    if (!box.current) return;
    // Base UI adds and removes the button beside the box by itself.
    const observer = new MutationObserver(() => nameDismissButtons(box.current, closeLabel));
    observer.observe(box.current, { childList: true });
    return () => observer.disconnect();
  }, [closeLabel]);
  return { box, nameButtons: (list: HTMLElement | null) => nameDismissButtons(list, closeLabel) };
}

/**
 * Sets the label of the hidden buttons by which screen readers close the list; Base UI labels them in English
 * only.
 */
function nameDismissButtons(within: HTMLElement | null, name: string): void {
  for (const button of within?.querySelectorAll('[role="button"][aria-label="Dismiss"]') ?? []) {
    button.setAttribute('aria-label', name);
  }
}
