/** The placeholders for values: `{support}` is replaced by the support address. */
export const VALUES = ['company', 'support', 'privacyEmail'] as const
/** The placeholders for links: `{contact|our contact form}` links these words. */
export const LINKS = ['terms', 'privacy', 'contact', 'notificationChoices', 'ownData', 'profile', 'opc', 'cai'] as const

export type Value = (typeof VALUES)[number]
export type LinkTarget = (typeof LINKS)[number]

/**
 * A paragraph, a list, a heading inside a section with its anchor, or who is in charge of personal information, under the title of that office. Words between two
 * pairs of asterisks are bold.
 */
export type Block = string | readonly string[] | { personInCharge: string } | { heading: string; id: string }

type Section = { title: string; blocks: readonly Block[] }

export type LegalText = {
  title: string
  /** What search engines show. */
  description: string
  /** The day of this version, in the words of the first one's. */
  updated: string
  /** What it changed. */
  changed: string
  /** The few points most people come for. */
  inShort: readonly string[]
  /** By their anchors, the same in both languages, in the order of requirements §2. */
  sections: Record<string, Section>
}

/** The statement on /accessibility: not a legal text, and short. */
export type AccessibilityText = {
  title: string
  description: string
  intro: string
  sections: readonly Section[]
}
