import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { languages } from '@/lib/language';
import { pluralForm } from '@/lib/plural';

const message = '{count, plural, one {# one} few {# few} many {# many} other {# other}}';

describe('plural messages', () => {
  it.each(languages)('choose the CLDR form in %s', (language) => {
    const i18n = setupI18n({
      locale: language,
      messages: { [language]: { count: compileMessage(message) } },
    });
    for (const count of [0, 1, 2, 5, 11, 21, 22, 101, 111]) {
      expect(i18n._('count', { count })).toBe(`${count} ${pluralForm(count, language)}`);
    }
  });
});
