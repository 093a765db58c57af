import * as z from 'zod/mini'
import { Province } from '#contract/provinces.ts'
import { keepDraft, readDraft } from '~/lib/drafts'
import type { Answers } from './answers.ts'

const DRAFT = 'new-vehicle'
const PROVINCE = 'platenote-province'

/** Half of an answer is kept too; what is not there, or is of another kind, is asked for again. */
const Kept = z.object({
  plate: z.catch(z.string(), ''),
  make: z.catch(z.string(), ''),
  model: z.catch(z.string(), ''),
  registration_year: z.catch(z.string(), ''),
  province: z.catch(z.union([Province, z.literal('')]), ''),
})

/** What the form starts with: a registration that was begun and did not go through, or the province chosen last. */
export function keptAnswers(): Answers {
  const kept = Kept.safeParse(readDraft(DRAFT)).data ?? Kept.parse({})
  return { ...kept, province: kept.province || lastProvince() }
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
    return Province.safeParse(localStorage.getItem(PROVINCE)).data ?? ''
  } catch {
    return ''
  }
}
