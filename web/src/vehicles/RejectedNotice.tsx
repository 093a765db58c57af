import { Mail, RotateCcw } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { plateKey } from '#contract/plates.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { supportMailto } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { saveVehicleDraft } from './form-draft.ts'

/** Returns whether a vehicle counts as rejected for its owner, as in every status but three (requirements §4). */
export const isRejected = ({ status }: Pick<Vehicle, 'status'>): boolean =>
  status !== 'verified' && status !== 'active' && status !== 'pending_verification'

/** Returns whether the plate of a rejected vehicle is free again: no other vehicle of its owner has it. */
export const isPlateFreeAgain = (vehicle: Vehicle, own: readonly Vehicle[]): boolean =>
  isRejected(vehicle) &&
  !own.some(
    (other) =>
      !isRejected(other) && other.province === vehicle.province && plateKey(other.plate) === plateKey(vehicle.plate),
  )

type Props = {
  vehicle: Vehicle
  /** False once the plate has been registered again, and has another card. */
  canRegisterAgain: boolean
}

/** Explains a rejection to the owner, and what to do next. */
export function RejectedNotice({ vehicle, canRegisterAgain }: Props) {
  const { plate, make, model, registration_year, province } = vehicle
  return (
    <div className="grid gap-3 col-span-full">
      <p className="max-w-prose text-ink-soft">
        {m.vehicles_rejected_text()} {canRegisterAgain && m.vehicles_rejected_again()}
      </p>
      {vehicle.rejected_automatically ? (
        <p className="max-w-prose">{m.vehicles_rejected_automatically()}</p>
      ) : vehicle.reject_reason === null ? (
        <p className="max-w-prose text-ink-soft">{m.vehicles_rejected_reason_elsewhere()}</p>
      ) : (
        <div className="max-w-prose rounded-xl bg-sunken p-3">
          <p className="text-sm font-bold">{m.vehicles_rejected_reason()}</p>
          <p dir="auto" className="whitespace-pre-line">
            {vehicle.reject_reason}
          </p>
        </div>
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        {canRegisterAgain && (
          <ButtonLink
            icon={RotateCcw}
            to={paths.newVehicle()}
            onClick={() =>
              saveVehicleDraft({ plate, make, model, registration_year: `${registration_year}`, province })
            }
          >
            {m.vehicles_rejected_register()}
          </ButtonLink>
        )}
        <a href={supportMailto(m.vehicles_rejected_subject({ plate }))} className={buttonClass()}>
          <Mail aria-hidden="true" className="size-5" />
          {m.vehicles_write_to_support()}
        </a>
      </div>
    </div>
  )
}
