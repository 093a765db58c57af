import { PROVINCES, type Province } from '#contract/provinces.ts'
import { asOneOf, readDraftTexts, saveDraft } from '~/lib/form/drafts'
import { browserStore } from '~/lib/page/storage'
import { plateToRegister } from '~/lib/registration/carried-plate'

/** The values of the registration form; empty where nothing is chosen. */
export type VehicleFormValues = {
  plate: string
  make: string
  model: string
  registration_year: string
  province: Province | ''
}

const DRAFT_NAME = 'new-vehicle'
const PROVINCE_KEY = 'platenote-province'

/**
 * Returns what the form starts with: a registration that was begun, the plate with which somebody signed up, empty where
 * something is missing, and the province that was chosen last.
 */
export function readVehicleDraft(): VehicleFormValues {
  const texts = readDraftTexts(DRAFT_NAME, ['plate', 'make', 'model', 'registration_year', 'province'])
  return {
    ...texts,
    plate: texts.plate || plateToRegister(),
    province: asOneOf(PROVINCES, texts.province) || readLastProvince(),
  }
}

/** Stores what is in the form until it is registered; undefined clears it. */
export const saveVehicleDraft = (values: VehicleFormValues | undefined) => saveDraft(DRAFT_NAME, values)

/** Stores the province for the next form, since people rarely have vehicles in two provinces. */
export const saveLastProvince = (province: Province): void => browserStore.setItem(PROVINCE_KEY, province)

const readLastProvince = (): VehicleFormValues['province'] => asOneOf(PROVINCES, browserStore.getItem(PROVINCE_KEY))
