import type { DefaultValues } from 'react-hook-form'
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
  registration_year: z.catch(z.optional(z.number()), undefined),
  province: z.catch(z.optional(Province), undefined),
})

/** What the form starts with: a registration that was begun and did not go through, or the province chosen last. */
export function keptAnswers(): DefaultValues<Answers> {
  const { registration_year, province, ...texts } = Kept.safeParse(readDraft(DRAFT)).data ?? Kept.parse({})
  return {
    ...texts,
    // a key without a value would be a value of its own to the form
    ...(registration_year !== undefined && { registration_year }),
    province: province ?? lastProvince(),
  }
}

/** Keeps what is in the form until it is registered; undefined forgets it. */
export const keepAnswers = (answers: DefaultValues<Answers> | undefined) => keepDraft(DRAFT, answers)

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
