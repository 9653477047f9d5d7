import { useLingui } from '@lingui/react/macro';
import type { DetailProblem } from './detail-rules';

/** Returns a function that puts the problem of a detail into words: what is wrong and how to correct it. */
export function useDetailProblem() {
  const { t } = useLingui();
  return (problem: DetailProblem): string => {
    switch (problem) {
      case 'room-required':
        return t({
          id: 'address-form.problem.room',
          message: 'Enter the apartment or office',
        });
      case 'bell-name-required':
        return t({
          id: 'address-form.problem.bell-name',
          message: 'Enter the name at the doorbell',
        });
      case 'detail-required':
        return t({ id: 'address-form.problem.empty', message: 'Fill in this field' });
      case 'too-long':
        return t({
          id: 'common.problem.too-long',
          message: 'This is too long. Shorten it a little',
        });
    }
  };
}
