import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Schema } from '@/api/types';
import { useCity, useCityPath } from '@/entities/city/context';
import { citiesQuery } from '@/entities/city/queries';
import { useChooseAddress } from '@/entities/place-choice/choose';
import { showFailure } from '@/ui/feedback/show-failure';
import { flash } from '@/ui/flash/flash-store';
import { openModal } from '@/ui/modals/modal-store';

type Address = Schema<'DeliveryAddress'>;

/** The parameter of the URL that names the address to select. */
const parameter = 'delivery_address_id';

/**
 * Returns the function that selects a saved address for the order, and the id of the address being selected. For
 * an address in another city the function asks first and then opens that city's profile, which selects it. For
 * an address without delivery it only shows a message.
 */
export function useSelectAddress() {
  const { t } = useLingui();
  const city = useCity();
  const [, navigate] = useLocation();
  const { data: cities } = useQuery(citiesQuery());
  const choose = useChooseAddress();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: { address: Address; id: number }) => choose.byId(id),
    onSuccess: (failure, { address }) => {
      if (failure) showFailure(failure);
      else
        flash(
          t({
            id: 'profile.addresses.bring-order-to',
            message: `We will bring your order to ${address.address}`,
          }),
          { tone: 'success' },
        );
    },
  });

  const select = (address: Address, id: number) => {
    const { city: at } = address;
    const isServed =
      address.delivery_possible && (!cities || cities.list.some((one) => one.id === at.id));
    if (!isServed)
      flash(
        t({
          id: 'profile.addresses.sorry-no-longer-deliver',
          message: 'Sorry, we no longer deliver to this address',
        }),
        { tone: 'warning' },
      );
    else if (at.id === city.id) mutate({ address, id });
    else {
      const onConfirm = async () =>
        navigate(`/${at.alias}/profile?tab=addresses&${parameter}=${id}`);
      openModal('confirm-select-address', { address, reason: 'other-city', onConfirm });
    }
  };

  return { select, busyId: isPending ? variables.id : undefined };
}

/** Selects the address that the page's URL names, once, and removes its parameter from the URL. */
export function useAddressOfLink(
  addresses: readonly Address[],
  select: (address: Address, id: number) => void,
): void {
  const { t } = useLingui();
  const path = useCityPath();
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const idInUrl = query.get(parameter);
  const followed = useRef<string | null>(null);
  const follow = useEffectEvent((wanted: string) => {
    navigate(path('/profile?tab=addresses'), { replace: true });
    const address = addresses.find(({ id }) => String(id) === wanted);
    if (address?.id === undefined)
      flash(
        t({
          id: 'profile.addresses.address-no-longer-saved',
          message: 'This address is no longer saved',
        }),
        { tone: 'warning' },
      );
    else select(address, address.id);
  });
  useEffect(() => {
    if (followed.current === idInUrl) return;
    followed.current = idInUrl;
    if (idInUrl !== null) follow(idInUrl);
  }, [idInUrl]);
}
