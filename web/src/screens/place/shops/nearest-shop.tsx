import { Trans } from '@lingui/react/macro';
import { useMapTiles } from '@/entities/city/use-map-tiles';
import { useChooseShop } from '@/entities/place-choice/choose';
import { Button } from '@/ui/button';
import { MapView } from '@/ui/map/map-view';
import { useModalFrame } from '@/ui/modals/modal-frame';
import type { ModalParams } from '@/ui/modals/modal-names';
import { closeAllModals } from '@/ui/modals/modal-store';
import { Sheet } from '@/ui/sheet';
import { ShopCard } from './shop-card';
import { useShopQuestion } from './use-shop-question';

/** The dialog with the shop nearest to an address without delivery, with a button that chooses it for takeaway. */
export default function NearestShop({ nearest: { shop, distance } }: ModalParams['nearest-shop']) {
  const { close } = useModalFrame();
  const { choose, busyId } = useChooseShop(closeAllModals);
  const ask = useShopQuestion(choose);
  return (
    <Sheet
      title={<Trans id="place.shops.nearest-shop">The nearest shop</Trans>}
      footer={
        <div className="grid answers gap-2">
          <Button look="secondary" wide onClick={close}>
            <Trans id="place.another-address">Another address</Trans>
          </Button>
          <Button wide busy={busyId === shop.id} onClick={() => ask(shop)}>
            <Trans id="place.shops.pick-up-here">Pick it up here</Trans>
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-3">
        <ShopCard shop={shop} distance={distance} />
        <div className="h-64 overflow-hidden rounded-[min(var(--radius-card),16px)]">
          <MapView
            label={shop.name}
            center={shop.map.coordinates}
            zoom={shop.map.zoom}
            markers={[{ id: shop.id, at: shop.map.coordinates, kind: 'shop', name: shop.name }]}
            tiles={useMapTiles()}
          />
        </div>
      </div>
    </Sheet>
  );
}
