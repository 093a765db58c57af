import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const LOCALE = 'locales/en'
const CONTRACT = 'contract/src'

/** The chunk of each folder's modules; of nested folders the inner one counts. */
const CHUNK_OF_FOLDER: Record<string, string> = {
  'node_modules/react': 'react',
  'node_modules/react-dom': 'react',
  'node_modules/react-router': 'react',
  'node_modules/scheduler': 'react',
  'node_modules/zod': 'zod',
  'node_modules/@supabase': 'auth-js',
  // every page with scripts: the UI components, their icons and their texts
  'node_modules/clsx': 'base',
  'node_modules/lucide-react': 'base',
  'web/src/paraglide': 'base',
  'web/src/lib/form': 'base',
  'web/src/lib/http': 'base',
  'web/src/lib/i18n': 'base',
  'web/src/lib/page': 'base',
  'web/src/lib/toast': 'base',
  'web/src/ui': 'base',
  'web/src/lib/address': 'address',
  // every page for owners or admins
  'node_modules/@tanstack': 'signed-in',
  'web/src/layouts/signed-in': 'signed-in',
  'web/src/lib/dates': 'signed-in',
  'web/src/lib/guard': 'signed-in',
  'web/src/lib/live': 'signed-in',
  'web/src/lib/push': 'signed-in',
  'web/src/lib/query': 'signed-in',
  'web/src/lib/session': 'signed-in',
  'web/src/lib/time': 'signed-in',
  'web/src/notifications': 'signed-in',
  'web/src/ui/signed-in': 'signed-in',
  // every page of the admin area
  'web/src/admin/frame': 'admin-frame',
  // pages for people at a vehicle
  'web/src/guest': 'guest',
  // features of which several pages use parts
  'web/src/admin': 'admin',
  'web/src/account-events': 'account-events',
  'web/src/auth': 'account',
  'web/src/auth/login': 'login', // which asks for an address, unlike the profile
  'web/src/auth/second-factor': 'second-factor', // the profile loads it once somebody adds or removes one
  'web/src/messages': 'messages',
  'web/src/lib/plates': 'plates',
  'web/src/inbox': 'inbox',
  'web/src/profile': 'profile',
  'web/src/profile/frame': 'profile-frame', // every part of the profile
  'web/src/push': 'push',
  'web/src/vehicle-people': 'vehicle-people',
  'web/src/vehicles': 'vehicles',
}

/**
 * The chunk of those texts that do not belong to the chunk of their own name ('vehicles', 'messages' …). Texts of which there is
 * none become a chunk of their own.
 */
const CHUNK_OF_TEXTS: Record<string, string> = {
  common: 'base',
  provinces: 'base',
  'contact-subjects': 'base',
  answers: 'signed-in', // as contract/src/answers.ts
  auth: 'account', // the folder's chunk
  passwords: 'account',
  profile: 'profile-frame', // which part one is in
  tags: 'vehicles', // the card of a vehicle and of a message show some of them
  admin: 'admin-frame', // the frame shows some of them, but has none of the pages' code
}

/** The chunk of each icon that several pages of one area share, and no other page needs; all others are in 'base'. */
const CHUNK_OF_ICON: Record<string, string> = {
  activity: 'admin-frame',
  'alarm-clock': 'admin-frame',
  baby: 'messages',
  'door-open': 'messages',
  droplets: 'messages',
  'file-plus': 'admin-frame',
  footprints: 'messages',
  heart: 'messages',
  hourglass: 'admin-frame',
  lightbulb: 'messages',
  'message-circle': 'messages',
  monitor: 'profile',
  'moon-star': 'profile',
  'scroll-text': 'admin-frame',
  tablet: 'profile',
  timer: 'messages',
  truck: 'messages',
}

/** The chunks by priority: a module that several of them import goes into the first one. */
const CHUNKS: { name: string; minShareCount?: number }[] = [
  { name: 'react' },
  { name: 'zod' },
  { name: 'base', minShareCount: 2 },
  { name: 'address', minShareCount: 2 }, // before the fields, which need zod
  { name: 'plates', minShareCount: 2 }, // before the schemas, which bring zod along
  { name: 'fields' },
  { name: 'signed-in', minShareCount: 2 },
  { name: 'admin-frame', minShareCount: 2 },
  { name: 'vehicles', minShareCount: 2 }, // before the other features, which show vehicles
  { name: 'account', minShareCount: 2 }, // before the profile, which uses some of it
  { name: 'profile-frame', minShareCount: 2 },
  { name: 'auth-js' },
]

const ICONS = 'node_modules/lucide-react/dist/esm/icons'

const missing = [
  ...Object.keys(CHUNK_OF_ICON)
    .map((name) => `${ICONS}/${name}.mjs`)
    .filter((file) => !existsSync(join(ROOT, file))),
  // the texts as functions are written by the build itself
  ...Object.keys(CHUNK_OF_FOLDER).filter((folder) => folder !== 'web/src/paraglide' && !isDirectory(folder)),
  ...Object.keys(CHUNK_OF_TEXTS)
    .map((name) => `${LOCALE}/${name}.json`)
    .filter((file) => !existsSync(join(ROOT, file))),
]
if (missing.length > 0) throw new Error(`web/chunk-groups.ts names what does not exist: ${missing.join(', ')}`)

function isDirectory(folder: string): boolean {
  return statSync(join(ROOT, folder), { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The file of texts that holds each key: 'admin', 'vehicles' … */
const fileOfMessageKey = new Map(
  readdirSync(join(ROOT, LOCALE)).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(ROOT, LOCALE, file), 'utf8')) as object).map(
      (key) => [key, basename(file, '.json')] as const,
    ),
  ),
)

/**
 * The chunk of each module of the contract that several pages share, from its first line: '// chunk: signed-in'. The contract is one
 * flat folder, because it is the server's too; so its modules say themselves what they are loaded with (decision page-weight).
 */
const chunkOfContractModule = new Map(
  readdirSync(join(ROOT, CONTRACT)).map((file) => [
    file,
    /^\/\/ chunk: ([\w-]+)/.exec(readFileSync(join(ROOT, CONTRACT, file), 'utf8'))?.[1],
  ]),
)

const sharedChunks = new Set([...Object.values(CHUNK_OF_FOLDER), ...chunkOfContractModule.values()])

const foldersInnermostFirst = Object.keys(CHUNK_OF_FOLDER).toSorted((a, b) => b.length - a.length)

/** Returns the chunk that a module belongs to when several pages share it; null when it has none. */
export function chunkOf(id: string): string | null {
  if (id.includes(`/${CONTRACT}/`)) return chunkOfContractModule.get(basename(id)) ?? null
  const messageKey = /\/paraglide\/messages\/(\w+)\.js$/.exec(id)?.[1]
  const textFile = messageKey === undefined ? undefined : fileOfMessageKey.get(messageKey)
  if (textFile !== undefined)
    return CHUNK_OF_TEXTS[textFile] ?? (sharedChunks.has(textFile) ? textFile : `texts-${textFile}`)
  const icon = id.includes(`/${ICONS}/`) ? CHUNK_OF_ICON[basename(id, '.mjs')] : undefined
  if (icon !== undefined) return icon
  const folder = foldersInnermostFirst.find((name) => id.includes(`/${name}/`))
  return folder === undefined ? null : CHUNK_OF_FOLDER[folder]!
}

type ChunkGroup = {
  /** The chunk, or a function that returns the chunk of a module. */
  name: string | ((id: string) => string | null)
  /** Returns whether a module belongs to it; by default it does whenever `name` returns a chunk. */
  test?: (id: string) => boolean
  minShareCount: number
  priority: number
}

/**
 * The groups of modules that pages load as one file. Without them every shared text and icon, and each part of a library,
 * becomes a file of its own (57 files on /dashboard/messages instead of 12), and each costs its headers and, on a phone, a
 * turn in the queue of requests. A group includes what its modules import, unless a group of higher priority has it, and is
 * loaded whole: it must hold only what the same pages use, and what every page uses comes first.
 */
export const chunkGroups: ChunkGroup[] = [
  ...CHUNKS.map(({ name, minShareCount = 1 }, index) => ({
    name,
    test: (id: string) => chunkOf(id) === name,
    minShareCount,
    priority: CHUNKS.length + 1 - index,
  })),
  { name: chunkOf, minShareCount: 2, priority: 1 },
]
