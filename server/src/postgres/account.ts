import { readFileSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { EmbeddedError } from './embedded-error.ts'

/** A system account, as `spawn` takes it. */
export type SystemAccount = { uid: number; gid: number }

/** Accounts PostgreSQL may borrow when PlateNote runs as root, best first. None is ever created. */
const CANDIDATE_ACCOUNTS = ['platenote', 'postgres', '_postgres', 'node', 'nobody']

/**
 * Returns the account PostgreSQL must run as, or undefined for the account of this process (always so on Windows).
 * PostgreSQL refuses root, so root runs it as the owner of the existing cluster, or otherwise as an account of the machine.
 * @param cluster the folder `initdb` created or will create
 */
export function resolveAccount(cluster: string): SystemAccount | undefined {
  if (!process.getuid) return undefined
  const owner = statSync(cluster, { throwIfNoEntry: false })
  const uid = process.getuid()
  if (uid !== 0) {
    if (!hasPasswdEntry())
      throw new EmbeddedError(
        `User id ${uid} has no entry in /etc/passwd, which PostgreSQL needs; set DATABASE_URL to a PostgreSQL server.`,
      )
    if (owner && owner.uid !== uid) {
      throw new EmbeddedError(
        `${cluster} belongs to user id ${owner.uid}; start as that user, or run: chown -R ${uid} ${cluster}`,
      )
    }
    return undefined
  }
  const borrowed = findUnprivilegedAccount()
  if (owner?.uid === 0)
    throw new EmbeddedError(
      `${cluster} belongs to root, whom PostgreSQL refuses; run: chown -R ${borrowed.uid}:${borrowed.gid} ${cluster}`,
    )
  return owner ? { uid: owner.uid, gid: owner.gid } : borrowed
}

/**
 * Returns the first folder on the way up from `path` that this account may not pass through, if there is one. Judged by
 * owner, group and mode; access control lists are not read. Ignores the part of `path` that does not exist yet.
 */
export function firstInaccessibleFolder(path: string, account: SystemAccount): string | undefined {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const entry = statSync(folder, { throwIfNoEntry: false })
    if (entry?.isDirectory() && !canTraverse(entry, account)) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** Returns whether an account of the system can traverse every folder on the way to a path. */
export const canReach = (path: string, account: SystemAccount): boolean =>
  firstInaccessibleFolder(path, account) === undefined

function canTraverse({ uid, gid, mode }: Stats, account: SystemAccount): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0
  return (mode & (gid === account.gid ? 0o010 : 0o001)) !== 0
}

function findUnprivilegedAccount(): SystemAccount {
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of CANDIDATE_ACCOUNTS) {
    const row = rows.find(([account]) => account === name)
    if (row) return { uid: Number(row[2]), gid: Number(row[3]) }
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root; start PlateNote as an ordinary user or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** Returns whether the user id has a name. `initdb` looks its own user up and fails without one (some container platforms). */
function hasPasswdEntry(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}
