/** The sections of /terms-and-conditions in the order of requirements §2. They are anchors too, the same in both languages. */
export const TERMS_SECTIONS = [
  'acceptance',
  'service-description',
  'user-responsibilities',
  'prohibited-conduct',
  'privacy',
  'intellectual-property',
  'disclaimers',
  'termination',
  'governing-law',
  'changes',
] as const

/** The sections of /privacy, likewise. */
export const PRIVACY_SECTIONS = [
  'introduction',
  'information-collected',
  'use',
  'sharing',
  'rights',
  'cookies',
  'security',
  'children',
  'international-transfers',
  'changes',
] as const

/** What a text may name that is not its own words: `{support}` stands for the address. */
export const VALUES = ['company', 'support', 'privacyEmail'] as const
/** Where a text may lead, with words of its sentence: `{contact|our contact form}`. */
export const LINKS = ['terms', 'privacy', 'contact', 'profile', 'opc', 'cai'] as const

export type Value = (typeof VALUES)[number]
export type LinkTarget = (typeof LINKS)[number]

/**
 * A paragraph, a list, or who is in charge of personal information, under the title of that office. Words between two
 * pairs of asterisks stand out.
 */
export type Block = string | readonly string[] | { personInCharge: string }

export type LegalText<Id extends string> = {
  title: string
  /** What search engines show. */
  description: string
  /** The few points most people come for. */
  inShort: readonly string[]
  sections: Record<Id, { title: string; blocks: readonly Block[] }>
}

export type TermsText = LegalText<(typeof TERMS_SECTIONS)[number]>
export type PrivacyText = LegalText<(typeof PRIVACY_SECTIONS)[number]>
