/*
 * What people are writing, kept for this tab until it is sent, so that a reload or a lost network loses nothing.
 * Signing out drops all of it, and so does somebody else who signs in (`claimDrafts`); a session that ended by itself
 * does not.
 */
const PREFIX = 'platenote-draft:'

let ended = false

/** What was kept under a name, or undefined. It comes from the browser's storage: check its shape. */
export function readDraft(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') ?? undefined
  } catch {
    return undefined // storage is forbidden, or something else wrote there
  }
}

/** The text that was kept under a name. */
export function readTextDraft(name: string): string | undefined {
  const kept = readDraft(name)
  return typeof kept === 'string' ? kept : undefined
}

/** What was kept under a name, by fields: each may be missing, or of another kind than it should be. */
export function readFieldsDraft(name: string): Record<string, unknown> {
  const kept = readDraft(name)
  return typeof kept === 'object' && kept !== null ? { ...kept } : {}
}

/** A kept field that is a text; of any other it keeps nothing. */
export const textOf = (field: unknown): string => (typeof field === 'string' ? field : '')

/** A kept field that is one of some texts; of any other it keeps nothing. */
export const oneOf = <T extends string>(texts: readonly T[], field: unknown): T | '' =>
  texts.find((text) => text === field) ?? ''

/** Keeps a value (as JSON) under a name; undefined forgets it. */
export function keepDraft(name: string, value: unknown) {
  if (ended) return
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
export function endDrafts() {
  ended = true
  dropDrafts()
}

function dropDrafts() {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))
    for (const name of names) sessionStorage.removeItem(name)
  } catch {
    // storage is forbidden: nothing was kept
  }
}

const OWNER = 'owner'

/** Says whose drafts these are from now on: those of somebody else are forgotten. */
export function claimDrafts(userId: string) {
  const owner = readDraft(OWNER)
  if (owner === userId) return
  if (owner !== undefined) dropDrafts()
  keepDraft(OWNER, userId)
}
