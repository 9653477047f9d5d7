/**
 * Features of the built scripts that a browser of the floor lacks, each with the reason why it works there all
 * the same.
 */
export const allowedInScripts: Record<string, string> = {
  '.checkVisibility': 'Base UI asks whether it is there and computes the same by styles',
  '.connection': 'React asks whether it is there',
  '.sourceCapabilities': 'Leaflet asks whether they are there',
  '.skipTransition': 'view transitions of React, which the page does not use',
  '.startViewTransition': 'view transitions of React, which the page does not use',
  '.getState': 'view transitions of React, which the page does not use',
  '.use': 'React’s own, not that of a stack of disposables',
  '.toArray': 'React’s own, not that of an iterator',
  '.sources': 'the page’s own, of a picture',
  '.error': 'the page’s own, of a result',
  '.print': 'the button is shown where the browser prints',
  'Error.captureStackTrace': 'the reader of packed maps asks whether it is there',
  '.pipeThrough':
    'a map is unpacked by streams only where DecompressionStream is, which came later',
  Notification: 'notifications are offered where the browser has them',
  'Notification.requestPermission': 'notifications are offered where the browser has them',
  '.getSubscription': 'notifications are offered where the browser has them',
};

/** Such features of the built styles. A property includes all of its values. */
export const allowedInStyles: Record<string, string> = {
  '@container': 'the names of shops on a narrow map stay hidden, as they are on phones',
  'container-type': 'goes with @container',
  '@media (forced-colors)': 'colours are forced by Windows, where the floor knows the query',
  'forced-color-adjust': 'colours are forced by Windows, where the floor knows the property',
  '@media (scripting)': 'the suggestion of a city stays where no script can close it',
  '@property': 'Tailwind sets the same initial values in @supports',
  cursor: 'iOS has no pointer',
  resize: 'a text area keeps its height',
  'field-sizing': 'a text area keeps its height, a list of choices its width',
  'font-family': 'the next typeface of the list is taken',
  'mix-blend-mode': 'tiles of a map fade in without it',
  'overscroll-behavior': 'the page behind a dialog is locked besides',
  'overscroll-behavior-x': 'a row that is scrolled to its end may go back a page',
  'scrollbar-gutter': 'the page moves by the width of its scroll bar',
  'scrollbar-width': 'a scroll bar is seen',
  'text-wrap': 'a heading breaks where its line is full',
  'unit lh': 'Tailwind’s own rule for fields of a date, of which the page has none',
  ':selection': 'a selection has the colours of iOS',
};
