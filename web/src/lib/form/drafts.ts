import { browserStore, readJson, tabNames, tabStore } from '~/lib/page/storage'

/*
 * Stores drafts of what the user is writing, for this tab and until it is sent, so that a reload or a lost connection loses
 * nothing. They are discarded when the user signs out or another user signs in (`setDraftOwner`), but not when a session
 * expires. Their owner may then sign in with a link that opens another tab, which fetches them from this one (auth/draft-handover.ts).
 */
const PREFIX = 'platenote-draft:'

/** Where `carried-plate.ts` and `pending-sign-up.ts` store what outlives the tab, until somebody signs out. */
export const CARRIED_KEY = 'platenote-carried-plate'
export const SEND_INTENT_KEY = 'platenote-send-intent'

let discarded = false

const readDraft = (name: string): unknown => readJson(tabStore, PREFIX + name)

/** Returns the text stored under a name. */
export function readDraftText(name: string): string | undefined {
  const draft = readDraft(name)
  return typeof draft === 'string' ? draft : undefined
}

/** Returns the fields stored under a name; each may be missing or of the wrong type. */
export function readDraftFields(name: string): Record<string, unknown> {
  const draft = readDraft(name)
  return typeof draft === 'object' && draft !== null ? { ...draft } : {}
}

/** Returns a stored field if it is a text, else an empty one. */
export const asString = (field: unknown): string => (typeof field === 'string' ? field : '')

/** Returns these fields of what is stored under a name; each that is no text is empty. */
export function readDraftTexts<Name extends string>(name: string, fields: readonly Name[]): Record<Name, string> {
  const draft = readDraftFields(name)
  return Object.fromEntries(fields.map((field) => [field, asString(draft[field])])) as Record<Name, string>
}

/** Returns a stored field if it is one of these texts, else an empty one. */
export const asOneOf = <T extends string>(texts: readonly T[], field: unknown): T | '' =>
  texts.find((text) => text === field) ?? ''

/** Stores a value under a name as JSON; undefined removes it. */
export function saveDraft(name: string, value: unknown) {
  if (discarded) return
  if (value === undefined) tabStore.removeItem(PREFIX + name)
  else tabStore.setItem(PREFIX + name, JSON.stringify(value))
}

/**
 * Discards all drafts when the user signs out, and stores no more until the page is left. Otherwise what is still running,
 * such as an upload, would store a draft for the next user.
 */
export function discardDrafts() {
  discarded = true
  clearDrafts()
  browserStore.removeItem(CARRIED_KEY)
  browserStore.removeItem(SEND_INTENT_KEY)
}

function clearDrafts() {
  for (const name of tabNames(PREFIX)) tabStore.removeItem(name)
}

const OWNER_KEY = 'owner'

/** Returns whose drafts these are. */
export const draftOwner = (): unknown => readDraft(OWNER_KEY)

/** Returns all drafts by their names. */
export const allDrafts = (): Record<string, unknown> =>
  Object.fromEntries(tabNames(PREFIX).map((name) => [name.slice(PREFIX.length), readDraft(name.slice(PREFIX.length))]))

/** Sets whose drafts these are; discards those of another user. */
export function setDraftOwner(userId: string) {
  const owner = draftOwner()
  if (owner === userId) return
  if (owner !== undefined) clearDrafts()
  saveDraft(OWNER_KEY, userId)
}
