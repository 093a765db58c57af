import { PROVINCES, type Province } from '#contract/provinces.ts'
import { asOneOf, asString, readDraftFields, saveDraft } from '~/lib/form/drafts'
import type { VehicleFormValues } from './form-values.ts'

const DRAFT_NAME = 'new-vehicle'
const PROVINCE_KEY = 'platenote-province'

/**
 * What the form starts with: a registration that was begun and did not go through, or the province chosen last. Half of
 * an answer is kept too; what is not there is asked for again.
 */
export function readVehicleDraft(): VehicleFormValues {
  const { plate, make, model, registration_year, province } = readDraftFields(DRAFT_NAME)
  return {
    plate: asString(plate),
    make: asString(make),
    model: asString(model),
    registration_year: asString(registration_year),
    province: asOneOf(PROVINCES, province) || readLastProvince(),
  }
}

/** Keeps what is in the form until it is registered; undefined forgets it. */
export const saveVehicleDraft = (answers: VehicleFormValues | undefined) => saveDraft(DRAFT_NAME, answers)

/** People rarely have vehicles in two provinces: the next form starts with this one. */
export function saveLastProvince(province: Province) {
  try {
    localStorage.setItem(PROVINCE_KEY, province)
  } catch {
    // storage is full or forbidden: one choice more next time
  }
}

function readLastProvince(): VehicleFormValues['province'] {
  try {
    return asOneOf(PROVINCES, localStorage.getItem(PROVINCE_KEY))
  } catch {
    return ''
  }
}
