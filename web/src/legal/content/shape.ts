/**
 * The sections of /terms-and-conditions in the order of requirements §2. They are anchors too, the same in both
 * languages.
 */
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

/** The placeholders for values: `{support}` is replaced by the support address. */
export const VALUES = ['company', 'support', 'privacyEmail'] as const
/** The placeholders for links: `{contact|our contact form}` links these words. */
export const LINKS = ['terms', 'privacy', 'contact', 'notificationChoices', 'ownData', 'opc', 'cai'] as const

export type Value = (typeof VALUES)[number]
export type LinkTarget = (typeof LINKS)[number]

/**
 * A paragraph, a list, a heading inside a section with its anchor, or who is in charge of personal information, under the title of that office. Words between two
 * pairs of asterisks are bold.
 */
export type Block = string | readonly string[] | { personInCharge: string } | { heading: string; id: string }

export type LegalText<Id extends string> = {
  title: string
  /** What search engines show. */
  description: string
  /** The day of this version and what it changed, under the day of the first one. */
  version: string
  /** The few points most people come for. */
  inShort: readonly string[]
  sections: Record<Id, { title: string; blocks: readonly Block[] }>
}

/** The statement on /accessibility: not a legal text, and short. */
export type AccessibilityText = {
  title: string
  description: string
  intro: string
  sections: readonly { title: string; blocks: readonly Block[] }[]
}

export type TermsText = LegalText<(typeof TERMS_SECTIONS)[number]>
export type PrivacyText = LegalText<(typeof PRIVACY_SECTIONS)[number]>
