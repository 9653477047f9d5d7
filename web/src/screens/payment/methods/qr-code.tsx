import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  /** What it is for, in words. */
  label: string;
}

/** A text as a QR code: dark on light in both themes, because many readers know no other. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <div className="aspect-square w-full max-w-64 rounded-[min(var(--radius-card),16px)] bg-surface p-2 scheme-light forced-color-adjust-none">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="block size-full fill-ink"
      >
        <path d={path} />
      </svg>
    </div>
  );
}

/** Returns the dark squares as one path, with the standard's quiet zone around them. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: squares.join('') };
}
