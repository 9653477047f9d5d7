import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  /** The text for screen readers that says what the code is for. */
  label: string;
}

/** A text as a QR code, black on white in every theme, because many readers support nothing else. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <div className="aspect-square w-full max-w-64 rounded-[min(var(--radius-card),16px)] bg-[white] p-2 forced-color-adjust-none">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="block size-full fill-[black]"
      >
        <path d={path} />
      </svg>
    </div>
  );
}

/** Returns the dark squares of the code as one SVG path, and the size with the standard's empty border. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: squares.join('') };
}
