import { PROVINCES, type Province } from '#contract/provinces.ts'
import { keepDraft, oneOf, readFieldsDraft, textOf } from '~/lib/drafts'
import type { Answers } from './answers.ts'

const DRAFT = 'new-vehicle'
const PROVINCE = 'platenote-province'

/**
 * What the form starts with: a registration that was begun and did not go through, or the province chosen last. Half of
 * an answer is kept too; what is not there is asked for again.
 */
export function keptAnswers(): Answers {
  const { plate, make, model, registration_year, province } = readFieldsDraft(DRAFT)
  return {
    plate: textOf(plate),
    make: textOf(make),
    model: textOf(model),
    registration_year: textOf(registration_year),
    province: oneOf(PROVINCES, province) || lastProvince(),
  }
}

/** Keeps what is in the form until it is registered; undefined forgets it. */
export const keepAnswers = (answers: Answers | undefined) => keepDraft(DRAFT, answers)

/** People rarely have vehicles in two provinces: the next form starts with this one. */
export function rememberProvince(province: Province) {
  try {
    localStorage.setItem(PROVINCE, province)
  } catch {
    // storage is full or forbidden: one choice more next time
  }
}

function lastProvince(): Answers['province'] {
  try {
    return oneOf(PROVINCES, localStorage.getItem(PROVINCE))
  } catch {
    return ''
  }
}
