import { createElement, type SVGAttributes } from 'react';

/** An element of an icon: its tag and attributes, in a view of 24 by 24. */
export type IconPart = [tag: string, attributes: Record<string, string>];

interface DrawnIconProps extends SVGAttributes<SVGSVGElement> {
  size: number;
}

/**
 * Returns the component of an icon. The build calls it in place of lucide-react's own function, which can do more than
 * `Icon` asks for, and draws the same.
 */
export const drawIcon =
  (names: string, parts: readonly IconPart[]) =>
  ({ size, className, ...rest }: DrawnIconProps) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: rest.strokeWidth,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: `${names} ${className}`,
        ...rest,
      },
      ...parts.map(([tag, attributes]) => createElement(tag, attributes)),
    );
