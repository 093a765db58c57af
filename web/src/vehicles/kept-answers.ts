import type { DefaultValues } from 'react-hook-form'
import { Province } from '#contract/provinces.ts'
import { NewVehicle } from '#contract/vehicles.ts'
import { keepDraft, readDraft } from '~/lib/drafts'
import type { Answers } from './answers.ts'

const DRAFT = 'new-vehicle'
const PROVINCE = 'platenote-province'

/** What the form starts with: a registration that did not go through, or empty but for the province chosen last. */
export function keptAnswers(): DefaultValues<Answers> {
  const draft = NewVehicle.safeParse(readDraft(DRAFT))
  return draft.success ? draft.data : { plate: '', make: '', model: '', province: lastProvince() }
}

/** Keeps what was handed in until it is registered; undefined forgets it. */
export const keepAnswers = (vehicle: NewVehicle | undefined) => keepDraft(DRAFT, vehicle)

/** People rarely have vehicles in two provinces: the next form starts with this one. */
export function rememberProvince(province: Province) {
  try {
    localStorage.setItem(PROVINCE, province)
  } catch {
    // storage is full or forbidden: one choice more next time
  }
}

function lastProvince(): Province | undefined {
  try {
    return Province.safeParse(localStorage.getItem(PROVINCE)).data
  } catch {
    return undefined
  }
}
