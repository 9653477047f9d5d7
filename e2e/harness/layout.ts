import type { Page } from '@playwright/test';

/** Returns a line for each text on the screen that is cut, covered or outside of the window. */
export const hiddenTexts = (page: Page): Promise<string[]> => page.evaluate(findHiddenTexts);

/**
 * Runs in the page. A text is cut when an element around it hides a part of it, and covered when an element that
 * is not around it lies over its middle. It leaves out texts that can be scrolled to, that only screen readers
 * read, or that are shortened to a number of lines on purpose.
 */
function findHiddenTexts(): string[] {
  const faults: string[] = [];
  const tolerance = 1.5;
  const dialogs = [...document.querySelectorAll('[role=dialog]')];
  const root = dialogs.at(-1) ?? document.body;
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.textContent ?? '').trim().slice(0, 60)}" ${element.className.toString().slice(0, 80)}`;

  /** Returns how an element is labelled, where it begins and how large it is. */
  const placeOf = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const label = element.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
    return `${label} ${[x, y, width, height].map(Math.round).join()}`.trim();
  };

  /** Returns the boxes that clip an element, and whether each of them scrolls. */
  const clipsOf = (element: Element) => {
    const clips: { box: DOMRect; scrollsX: boolean; scrollsY: boolean; by: Element }[] = [];
    for (let around: Element | null = element; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, overflowY, position, clipPath } = getComputedStyle(around);
      if (overflowX !== 'visible' || overflowY !== 'visible' || clipPath !== 'none') {
        clips.push({
          box: around.getBoundingClientRect(),
          scrollsX: /auto|scroll/.test(overflowX),
          scrollsY: /auto|scroll/.test(overflowY),
          by: around,
        });
      }
      if (position === 'fixed') break;
    }
    return clips;
  };

  // Reports whether an element is in the page for screen readers only, or hidden.
  const isHiddenFromView = (element: Element) => {
    for (let around: Element | null = element; around && around !== root; around = around.parentElement) {
      const { width, height } = around.getBoundingClientRect();
      const style = getComputedStyle(around);
      if (((width <= 1 || height <= 1) && style.overflow !== 'visible') || style.clipPath === 'inset(50%)') return true;
      if (style.visibility === 'hidden' || Number(style.opacity) === 0) return true;
      if (around.closest('[aria-hidden=true], [inert]')) return true;
    }
    return false;
  };

  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    // Ingredients and addresses are shortened on purpose; a press shows the whole text.
    if (!element || element.closest('.line-clamp-2, .line-clamp-3, [data-shortened]') || !node.textContent?.trim() || element.closest('script, style, noscript, option, svg, .leaflet-container')) continue;
    // A folded text has boxes although it is not shown.
    if (!element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes.length === 0 || isHiddenFromView(element)) continue;
    const clips = clipsOf(element);
    const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 16;
    let fault = '';
    for (const box of boxes) {
      let isScrolledAway = false;
      for (const { box: clip, scrollsX, scrollsY, by } of clips) {
        const outX = box.left < clip.left - tolerance || box.right > clip.right + tolerance;
        // Letters are less high than their line, so a quarter of it may be cut.
        const outY = box.top + line / 4 < clip.top - tolerance || box.bottom - line / 4 > clip.bottom + tolerance;
        if (outX && !scrollsX) fault = `cut by ${name(by)}`;
        else if (outY && !scrollsY) fault = `cut by ${name(by)}`;
        if ((outX && scrollsX) || (outY && scrollsY)) isScrolledAway = true;
        if (fault || isScrolledAway) break;
      }
      if (fault || isScrolledAway) break;
      if (box.left < -tolerance || box.right > innerWidth + tolerance) {
        fault = 'outside of the window';
        break;
      }
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      if (y < 0 || y >= innerHeight) continue;
      const top = document.elementFromPoint(x, y);
      // A sticky bar may cover a text, because the text scrolls under it.
      if (!top || top.contains(element) || element.contains(top) || isSticky(top)) continue;
      // Suggestions lie over what follows their field until one is taken.
      if (top.closest('[role=listbox]')) continue;
      if (getComputedStyle(element).pointerEvents === 'none') continue;
      const label = element.closest('label');
      if (label?.contains(top) || top.closest('label, button, a')?.contains(element) || isStretched(top)) continue;
      fault = `covered by ${name(top)} ${placeOf(top)}, the text at ${placeOf(element)}`;
      break;
    }
    if (fault) faults.push(`${name(element)}\n    ${fault}`);
  }
  return [...new Set(faults)];

  function isSticky(element: Element): boolean {
    for (let around: Element | null = element; around && around !== document.body; around = around.parentElement) {
      if (around === root) return false;
      if (/fixed|sticky/.test(getComputedStyle(around).position)) return true;
    }
    return false;
  }

  /** Reports whether an element is a button or link whose sensitive area lies over its whole card. */
  function isStretched(element: Element): boolean {
    return getComputedStyle(element, '::after').position === 'absolute' || getComputedStyle(element, '::before').position === 'absolute';
  }
}

/** Returns the animations of movement that run; there must be none when the visitor prefers reduced motion. */
export const runningMotion = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => animation.playState === 'running' && Number(animation.effect?.getComputedTiming().activeDuration) > 20)
      .filter((animation) => {
        const frames = animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes() : [];
        return frames.some((frame) => ['transform', 'translate', 'scale', 'rotate', 'left', 'top', 'height', 'width'].some((part) => part in frame));
      })
      .map((animation) => {
        const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
        return `${(animation as CSSAnimation).animationName ?? 'transition'} of ${target?.outerHTML.slice(0, 120)}`;
      }),
  );

/**
 * Returns the controls that are too small to press: those whose names match `important` below 44 px in width or
 * height, all others below 24 px.
 */
export const smallTargets = (page: Page, important: RegExp[]): Promise<string[]> =>
  page.evaluate(
    ({ names }) => {
      const patterns = names.map((source) => new RegExp(source, 'u'));
      const root = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.body;
      const pressed = 'button, a[href], input, select, textarea, summary, [role=button], [role=option], [role=tab], [role=switch]';
      return [...root.querySelectorAll<HTMLElement>(pressed)].flatMap((element) => {
        const style = getComputedStyle(element);
        const label = element instanceof HTMLInputElement ? element.closest('label') : null;
        let { width, height } = (label ?? element).getBoundingClientRect();
        if (width <= 1 || height <= 1 || style.visibility === 'hidden' || !element.checkVisibility()) return [];
        // A link in a line of text need not be higher than the line. A child may be larger than its link.
        const isInText = style.display === 'inline' && element.parentElement?.textContent?.trim() !== element.textContent?.trim();
        for (const part of element.querySelectorAll('*')) {
          const box = part.getBoundingClientRect();
          width = Math.max(width, box.width);
          height = Math.max(height, box.height);
        }
        // The sensitive area may be larger than the visible element.
        for (const pseudo of ['::before', '::after']) {
          const around = getComputedStyle(element, pseudo);
          if (around.position !== 'absolute' || around.content === 'none') continue;
          width = Math.max(width, Number.parseFloat(around.width) || 0);
          height = Math.max(height, Number.parseFloat(around.height) || 0);
        }
        const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
        const isImportant = patterns.some((pattern) => pattern.test(name));
        const least = isImportant ? 44 : 24;
        if ((isInText && !isImportant) || (width >= least - 0.5 && height >= least - 0.5)) return [];
        return [`${Math.round(width)} x ${Math.round(height)}, not ${least}: ${element.outerHTML.slice(0, 160)}`];
      });
    },
    { names: important.map(({ source }) => source) },
  );
