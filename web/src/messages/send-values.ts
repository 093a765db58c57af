import type { MessageReason } from '#contract/messages.ts'
import type { Province } from '#contract/provinces.ts'

/** What the form of /send holds; an empty text where nothing is chosen. */
export type SendValues = { plate: string; content: string; reason: MessageReason | ''; province: Province | '' }
