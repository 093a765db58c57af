import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The statements of what people do all day, by their files. */
export const HOT_STATEMENTS: Record<string, string[]> = {
  'server/src/auth/session-queries.ts': [
    'findIdentities',
    'findSessionByToken',
    'lockSession',
    'findTokenState',
    'findNewestTokenHash',
    'rotateRefreshToken',
    'recordReceipt',
  ],
  'server/src/messages/encrypt-for-send.ts': ['findReachableVehicles'],
  'server/src/messages/send-statement.ts': ['sendBatch'],
  'server/src/messages/queries.ts': [
    'listReceived',
    'findReceived',
    'listSent',
    'findSent',
    'setMessageRead',
    'setReply',
  ],
  'server/src/messages/emails.ts': ['findReceivedAmong'],
  'server/src/notifications/queries.ts': [
    'listNotifications',
    'listNotificationsAfter',
    'findNotificationStates',
    'countUnread',
    'setNotificationRead',
    'setAllNotificationsRead',
    'markMessageNotification',
  ],
  'server/src/dashboard/queries.ts': ['getDashboardCounts'],
  'server/src/vehicles/queries.ts': ['listVehiclesOf', 'findDisputedVehicles'],
  'server/src/email/lease-mails.ts': ['leaseMails'],
  'server/src/email/queries.ts': ['markSent'],
}

/** Returns the statements of each function of a file that has any, as their literal parts. */
export function statementsOf(file: string): Map<string, string[][]> {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return new Map(
    text.split(/^(?=(?:export )?(?:const|async function|function) )/m).flatMap((source) => {
      const name = /^(?:export )?(?:const|async function|function) (\w+)/.exec(source)?.[1]
      const statements = templatesOf(source)
        .filter(([first = '']) => /^\s*(select|insert|update|delete|with)\b/.test(first))
        .map(toPieces)
      return name && statements.length > 0 ? [[name, statements] as const] : []
    }),
  )
}

/** Returns the template literals of a source, each as its literal parts; those inside a template are parts of it. */
function templatesOf(source: string): string[][] {
  const templates: string[][] = []
  let at = 0
  /** Reads a template from behind its first backtick. */
  const readTemplate = (): string[] => {
    const parts: string[] = []
    let part = ''
    for (; source[at] !== '`' && at < source.length; at++) {
      if (source.startsWith('${', at)) {
        at += 2
        skipExpression()
        parts.push(part)
        part = ''
      } else part += source[at]
    }
    return [...parts, part]
  }
  const skipExpression = () => {
    for (let depth = 1; at < source.length; at++) {
      if (source[at] === '`') {
        at++
        readTemplate()
      } else if (source[at] === '{') depth++
      else if (source[at] === '}' && --depth === 0) return
    }
  }
  for (; at < source.length; at++) {
    if (source[at] !== '`') continue
    at++
    templates.push(readTemplate())
  }
  return templates
}

const COMMENT = /--.*$/gm
/**
 * What the statistics of PostgreSQL have a parameter for, unless a statement was prepared before they began: from version 18 on one
 * for a whole list.
 */
const CONSTANT = (() => {
  const one = String.raw`(?:'[^']*'|\$\d+|\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b|(?<=\bextract\()\w+)`
  return new RegExp(String.raw`${one}(?:\s*,\s*${one})*(?: /\*, \.\.\. \*/)?`, 'g')
})()
const collapse = (sql: string) => sql.replace(/\s+/g, ' ').trim()

const toPieces = (parts: string[]): string[] =>
  parts.flatMap((part) => part.replace(COMMENT, '').split(CONSTANT)).map(collapse)

/** Returns a query as it is whatever its constants are. */
export const withoutConstants = (query: string): string => collapse(query.replace(COMMENT, '').replace(CONSTANT, '?'))

/** Returns whether a query, as PostgreSQL records it with parameters for its constants, is a statement of a source. */
export function isStatement(query: string, [first = '', ...rest]: string[]): boolean {
  const text = collapse(query.replace(COMMENT, ''))
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return rest.at(-1) === '' || text.length === at
}
