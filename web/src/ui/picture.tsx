import { Utensils } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Schema } from '@/api/types';
import { classes } from './classes';
import { useNear } from './hooks/use-near';
import { Icon } from './icon';

/** The size of a picture on the page, reserved before the picture loads, and its size for the choice of a source. */
const shapes = {
  /** The picture of a dish in a row, 112 px and on wide phones 128 px. */
  dish: { box: 'size-28 rounded-plate bg-plate min-[24rem]:size-32', sizes: '128px' },
  /** The picture of a dish on a card, as wide as the card. */
  card: {
    box: 'aspect-square w-full rounded-plate bg-plate',
    sizes: '(min-width: 1024px) 25vw, 50vw',
  },
  /** A dish in a list that has rows on phones and cards on desktop. */
  tile: {
    box: 'size-28 rounded-plate bg-plate min-[384px]:size-32 desktop:aspect-square desktop:size-auto',
    sizes: '(min-width: 1024px) 22vw, 128px',
  },
  /** A dish on a card of 144 px. */
  'small-card': { box: 'aspect-square w-full rounded-plate bg-plate', sizes: '128px' },
  /** The picture of a dish on its own page. */
  hero: {
    box: 'hero w-full rounded-card bg-plate',
    sizes: '(min-width: 769px) 560px, 100vw',
  },
  /** A line of the cart, a modifier. */
  thumb: { box: 'size-16 rounded-plate bg-plate', sizes: '64px' },
  /** A featured group. */
  'thumb-large': { box: 'size-24 rounded-plate bg-plate', sizes: '96px' },
  /** A promotion, twice as wide as high. */
  banner: {
    box: 'aspect-[2/1] w-full rounded-card bg-plate',
    sizes: '(min-width: 1024px) 33vw, 85vw',
  },
};

interface PictureProps {
  picture: Schema<'Picture'> | undefined;
  /** Empty when a text beside the picture says the same. */
  alt: string;
  shape: keyof typeof shapes;
  /** Whether it loads at once, as pictures in the first view do, instead of when it is scrolled near. */
  eager?: boolean;
}

/**
 * A picture in the best format that the browser supports; an empty plate when there is none or it fails to load. On
 * phones it is asked for when it comes near the view; without script, when the browser sees fit.
 */
export function Picture({ picture, alt, shape, eager = false }: PictureProps) {
  const { box, sizes } = shapes[shape];
  const [failed, setFailed] = useState<string>();
  const [fadesIn, setFadesIn] = useState(false);
  const comesLate = useRef(false);
  const image = useRef<HTMLImageElement>(null);
  const room = useRef<HTMLPictureElement>(null);
  const isNear = useNear(room) || eager;
  // A picture that has loaded before this code runs (from the document or the cache) does not fade in.
  useEffect(() => {
    if (!eager && isNear) comesLate.current = image.current?.complete === false;
  }, [eager, isNear]);
  if (!picture || failed === picture.src) return <EmptyPlate box={box} alt={alt} />;
  return (
    <picture ref={room} className={classes('block shrink-0 overflow-hidden', box)}>
      {picture.sources.map((source) => (
        <source key={source.type} type={source.type} srcSet={source.srcset} sizes={sizes} />
      ))}
      <img
        ref={image}
        src={picture.src}
        alt={alt}
        width={picture.width}
        height={picture.height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        onLoad={() => setFadesIn(comesLate.current)}
        onError={() => setFailed(picture.src)}
        className={classes(
          'size-full object-cover',
          fadesIn && 'animate-[appear_var(--motion)_ease-out]',
          !isNear && 'unloaded',
        )}
      />
    </picture>
  );
}

/** The plate that is shown in place of a picture. */
function EmptyPlate({ box, alt }: { box: string; alt: string }) {
  const named = alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true };
  return (
    <span {...named} className={classes('grid shrink-0 place-items-center text-plate-mark', box)}>
      <Icon of={Utensils} size="large" />
    </span>
  );
}
