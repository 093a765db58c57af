/*
 * What people are writing, kept for this tab until it is sent, so that a reload or a lost network loses nothing.
 * Signing out drops all of it, and so does somebody else who signs in (`setDraftOwner`); a session that ended by itself
 * does not.
 */
const PREFIX = 'platenote-draft:'

let discarded = false

/** What was kept under a name, or undefined. It comes from the browser's storage: check its shape. */
export function readDraft(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') ?? undefined
  } catch {
    return undefined // storage is forbidden, or something else wrote there
  }
}

/** The text that was kept under a name. */
export function readDraftText(name: string): string | undefined {
  const draft = readDraft(name)
  return typeof draft === 'string' ? draft : undefined
}

/** What was kept under a name, by fields: each may be missing, or of another kind than it should be. */
export function readDraftFields(name: string): Record<string, unknown> {
  const draft = readDraft(name)
  return typeof draft === 'object' && draft !== null ? { ...draft } : {}
}

/** A kept field that is a text; of any other it keeps nothing. */
export const asString = (field: unknown): string => (typeof field === 'string' ? field : '')

/** A kept field that is one of some texts; of any other it keeps nothing. */
export const asOneOf = <T extends string>(texts: readonly T[], field: unknown): T | '' =>
  texts.find((text) => text === field) ?? ''

/** Keeps a value (as JSON) under a name; undefined forgets it. */
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
 * The person leaves: everything is forgotten, and this page, which goes away with them, keeps nothing more. What was
 * under way, such as an upload, would else be there for the next person.
 */
export function discardDrafts() {
  discarded = true
  clearDrafts()
}

function clearDrafts() {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // storage is forbidden: nothing was kept
  }
}

const OWNER_KEY = 'owner'

/** Says whose drafts these are from now on: those of somebody else are forgotten. */
export function setDraftOwner(userId: string) {
  const owner = readDraft(OWNER_KEY)
  if (owner === userId) return
  if (owner !== undefined) clearDrafts()
  saveDraft(OWNER_KEY, userId)
}
