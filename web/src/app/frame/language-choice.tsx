import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useSite } from '@/entities/site/context';
import { switchLanguage } from '@/i18n/switch-language';
import { useLanguage } from '@/i18n/use-language';
import { type Language, toLanguage } from '@/lib/language';
import { languageFacts } from '@/lib/languages';
import { flash } from '@/ui/flash/flash-store';
import { SmallSelect } from './small-select';

/**
 * The choice of the page's language, which changes in place. Nothing when the site has one language or hides the
 * choice. A language that cannot be loaded is reported, and the former one is shown again.
 */
export function LanguageChoice() {
  const { t } = useLingui();
  const { show_lang_button: isShown, languages } = useSite();
  const language = useLanguage();
  const [chosen, setChosen] = useState<Language>();
  if (!isShown || languages.length < 2) return null;
  const choose = async (next: Language) => {
    setChosen(next);
    try {
      await switchLanguage(next);
    } catch {
      flash(
        t({
          id: 'app.frame.language-could-not-be-loaded',
          message: 'The language could not be loaded. Check the network and try again.',
        }),
        {
          tone: 'error',
        },
      );
    }
    setChosen((latest) => (latest === next ? undefined : latest));
  };
  return (
    <SmallSelect
      label={t({ id: 'app.frame.language', message: 'Language' })}
      value={chosen ?? language}
      options={languages.map((tag) => ({ value: tag, label: languageFacts[toLanguage(tag)].name }))}
      onChange={(tag) => void choose(toLanguage(tag))}
    />
  );
}
