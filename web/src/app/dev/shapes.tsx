import { ShoppingBag } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { Disclosure } from '@/ui/disclosure';
import { EmptyState } from '@/ui/feedback/empty-state';
import { Notice } from '@/ui/feedback/notice';
import { Skeleton } from '@/ui/feedback/skeleton';
import { Spinner } from '@/ui/feedback/spinner';
import { StatusSteps } from '@/ui/feedback/status-steps';
import { ModalFrameContext } from '@/ui/modals/modal-frame';
import { Picture } from '@/ui/picture';
import { ScrollRow } from '@/ui/scroll-row';
import { Sheet } from '@/ui/sheet';
import { TabsStrip } from '@/ui/tabs-strip';
import { Section } from './section';

const steps = [
  { id: 'accepted', name: 'Accepted', reachedAt: '19:02' },
  { id: 'cooking', name: 'Cooking', reachedAt: '19:05' },
  { id: 'sent', name: 'On the way' },
  { id: 'done', name: 'Delivered' },
];
const tabs = ['Rolls', 'Sets', 'Wok', 'Soups', 'Drinks', 'Desserts', 'Sauces'].map((label) => ({
  id: label,
  label,
  href: `#${label}`,
}));

/** The parts of the kit that show content, for the development page: pictures, notices, rows, sheets. */
export function Shapes() {
  const [tab, setTab] = useState('Sets');
  return (
    <>
      <Section title="Pictures and skeletons">
        <Picture picture={undefined} alt="" shape="dish" />
        <Picture picture={undefined} alt="" shape="thumb" />
        <Skeleton shape="dish" />
        <div className="w-60">
          <Skeleton shape="title" />
          <Skeleton shape="line" count={2} />
          <Skeleton shape="chip" />
        </div>
        <Spinner />
      </Section>
      <Section title="Notices">
        <Notice title="Delivery is free from 900">Add something for 250.</Notice>
        <Notice tone="good">Promocode applied</Notice>
        <Notice tone="warn">The kitchen closes in 20 minutes</Notice>
        <Notice tone="danger" action={<Button size="small">Choose another</Button>}>
          The shop takes no orders now
        </Notice>
        <EmptyState
          icon={ShoppingBag}
          title="Nothing here yet"
          action={<Button>To the menu</Button>}
        >
          Add what you like.
        </EmptyState>
      </Section>
      <Section title="Rows and steps">
        <TabsStrip label="Groups" tabs={tabs} current={tab} onSelect={setTab} />
        <div className="w-full">
          <ScrollRow label="Promotions" itemWidth="banner">
            {tabs.map((each) => (
              <Skeleton key={each.id} shape="banner" />
            ))}
          </ScrollRow>
          <StatusSteps steps={steps} current="cooking" />
          <Disclosure summary="Allergens" end="fish, milk">
            Salmon and cream cheese.
          </Disclosure>
        </div>
      </Section>
      <Section title="Sheets">
        <Overlay name="Small sheet">
          <Sheet title="A small sheet" size="small">
            Words.
          </Sheet>
        </Overlay>
        <Overlay name="Medium sheet">
          <Sheet title="A medium sheet" footer={<Button wide>Order</Button>}>
            <Skeleton shape="line" count={40} />
          </Sheet>
        </Overlay>
        <Overlay name="Two panes">
          <Sheet
            title="Philadelphia"
            hideTitle
            size="large"
            pane={<Picture picture={undefined} alt="" shape="hero" />}
            footer={<Button wide>Add</Button>}
          >
            <Skeleton shape="line" count={10} />
          </Sheet>
        </Overlay>
        <Overlay name="Confirm">
          <ConfirmDialog
            title="Empty the cart?"
            confirmLabel="Empty"
            danger
            onConfirm={() => undefined}
          >
            Three dishes will be removed.
          </ConfirmDialog>
        </Overlay>
      </Section>
    </>
  );
}

/** A button that opens its children as a modal. */
function Overlay({ name, children }: { name: string; children: React.ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        {name}
      </Button>
      {open && (
        <ModalFrameContext value={{ name: 'info', close: () => setOpen(false), isTop: true }}>
          {children}
        </ModalFrameContext>
      )}
    </>
  );
}
