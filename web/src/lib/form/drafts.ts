/*
 * Stores drafts of what the user is writing, for this tab and until it is sent, so that a reload or a lost connection loses
 * nothing. They are discarded when the user signs out or another user signs in (`setDraftOwner`), but not when a session
 * expires.
 */
const PREFIX = 'platenote-draft:'

/** Where `carried-plate.ts` stores what outlives the tab, until somebody signs out. */
export const CARRIED_KEY = 'platenote-carried-plate'

let discarded = false

/** Returns the draft stored under a name, or undefined. It comes from the browser's storage: check its shape. */
export function readDraft(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') ?? undefined
  } catch {
    return undefined // storage is forbidden, or something else wrote there
  }
}

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

/** Returns a stored field if it is one of these texts, else an empty one. */
export const asOneOf = <T extends string>(texts: readonly T[], field: unknown): T | '' =>
  texts.find((text) => text === field) ?? ''

/** Stores a value under a name as JSON; undefined removes it. */
export function saveDraft(name: string, value: unknown) {
  if (discarded) return
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + name)
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    // storage is full or forbidden: the text is still in the form
  }
}

/**
 * Discards all drafts when the user signs out, and stores no more until the page is left. Otherwise what is still running,
 * such as an upload, would store a draft for the next user.
 */
export function discardDrafts() {
  discarded = true
  clearDrafts()
  try {
    localStorage.removeItem(CARRIED_KEY)
  } catch {
    // storage is forbidden: nothing was stored
  }
}

function clearDrafts() {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // storage is forbidden: nothing was stored
  }
}

const OWNER_KEY = 'owner'

/** Sets whose drafts these are; discards those of another user. */
export function setDraftOwner(userId: string) {
  const owner = readDraft(OWNER_KEY)
  if (owner === userId) return
  if (owner !== undefined) clearDrafts()
  saveDraft(OWNER_KEY, userId)
}
