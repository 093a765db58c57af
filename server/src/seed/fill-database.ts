import { localizedPath, paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import { storeImage } from '../attachments/store-image.ts'
import { grantAdmin } from '../auth/admin-role.ts'
import { createPasswordHasher } from '../auth/password.ts'
import { confirmUser, findOrCreateUser } from '../auth/user-queries.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { MigrationError, migrate } from '../db/migrate.ts'
import { openDatabaseForCommand } from '../db/open-database.ts'
import type { Db, Pool } from '../db/pool.ts'
import { getDocumentsDueAt } from '../disputes/business-days.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { hasEncryptedData, MasterKeyError, openKeyring, verifyKeys } from '../encryption/verify-keys.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { createLogger } from '../log/logger.ts'
import { setMessageRead } from '../messages/queries.ts'
import { replyToMessage } from '../messages/reply-to-message.ts'
import { makeSendMessage } from '../messages/send-message.ts'
import { EmbeddedError } from '../postgres/embedded-server.ts'
import { FolderInUseError } from '../postgres/lockfile.ts'
import { changePreferences } from '../preferences/queries.ts'
import { loadSecrets } from '../secrets.ts'
import { HOUR_MS } from '../time.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { registerVehicle } from '../vehicles/register-vehicle.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { DEMO_PASSWORD, EVENTS, type SeedEvent, type SeedUser, USERS, type UserKey } from './events.ts'
import { renderPicture } from './pictures.ts'

// npm run demo: fills an empty database with people, plates and messages. Works beside a running server.

/** Everybody joined before the story begins. */
const ACCOUNTS_CREATED_HOURS_AGO = 45 * 24

type SeedContext = Omit<AppContext, 'live' | 'outbox'>

/**
 * Fills an empty database, all or nothing, through the product's own flows. Everything happens in one transaction: its
 * mails count as sent before any worker can see them, and `now()` tells what a step has just written, to date it back.
 *
 * @throws ConfigError in production, or when there are people in the database
 */
export async function seedDatabase(context: SeedContext): Promise<void> {
  if (context.config.production) throw new ConfigError('The demo is never for production (NODE_ENV is production).')
  const pictureNames = new Set(EVENTS.flatMap((step) => (step.do === 'send' && step.scene ? [step.scene] : [])))
  const pictures = new Map<string, Buffer>()
  for (const scene of pictureNames) pictures.set(scene, await renderPicture(scene))
  await context.db.begin(async (tx) => {
    // nobody signs up meanwhile
    await tx`lock table auth.users in share row exclusive mode`
    const [existing] = await tx`select 1 from auth.users limit 1`
    if (existing) throw new ConfigError('There are people in this database; the demo fills only an empty one.')

    const seedContext: AppContext = { ...context, db: asPool(tx), live: NOOP_LIVE_HUB, outbox: { wake() {} } }
    const ids = await createUsers(tx)
    await grantAdmin(seedContext.db, USERS.grace.email)
    await backdate(tx, ACCOUNTS_CREATED_HOURS_AGO)
    const perform = makeEventRunner(seedContext, tx, ids, pictures)
    for (const step of EVENTS.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
      await perform(step)
      await backdate(tx, step.hoursAgo)
    }
    // what the demo did today is not held against anybody
    const counters = Object.values(ids).flatMap((id) =>
      ['register', 'send'].map((what) => userLimitKey(context.keyring, what, id)),
    )
    await tx`delete from rate_counters where key = any(${counters}::text[])`
  })
}

/** Nobody watches yet; streams that open later read what is there. */
const NOOP_LIVE_HUB: AppContext['live'] = {
  publish() {},
  subscribe: () => () => {},
  subscribeAll: () => () => {},
  close: async () => {},
}

/** The transaction as flows take a pool: what they begin becomes a part of it. */
const asPool = (tx: Db): Pool =>
  new Proxy(tx, { get: (target, name) => Reflect.get(target, name === 'begin' ? 'savepoint' : name) }) as Pool

/** Makes the accounts, with confirmed addresses. */
async function createUsers(tx: Db): Promise<Record<UserKey, string>> {
  const passwords = createPasswordHasher()
  const ids: Record<string, string> = {}
  for (const [who, person] of Object.entries<SeedUser>(USERS)) {
    const { id } = await findOrCreateUser(tx, newId(), person.email)
    await confirmUser(tx, id, await passwords.hash(DEMO_PASSWORD), { full_name: person.name, locale: person.locale })
    const { emailMessages = DEFAULT_PREFERENCES.email_messages, locale } = person
    await changePreferences(tx, id, { locale, email_messages: emailMessages })
    ids[who] = id
  }
  return ids as Record<UserKey, string> // one for each of PEOPLE
}

/** Does one thing of the story after the other. */
function makeEventRunner(context: AppContext, tx: Db, ids: Record<UserKey, string>, pictures: Map<string, Buffer>) {
  const admin = { id: ids.grace, email: USERS.grace.email }
  const send = makeSendMessage(context)
  const vehicles = new Map<string, string>()
  const messages = new Map<string, string>()
  const idOf = (map: Map<string, string>, name: string) => {
    const id = map.get(name)
    if (!id) throw new Error(`the story has not told of ${name} yet`)
    return id
  }

  return async (step: SeedEvent): Promise<void> => {
    switch (step.do) {
      case 'register': {
        const { who, plate, make, model, year, province } = step
        const wish = { plate: displayPlate(plate), make, model, registration_year: year, province }
        const { vehicle } = await registerVehicle(context, ids[who], wish)
        vehicles.set(`${who} ${plate}`, vehicle.id)
        return
      }
      case 'approve':
        await approveVehicle(context, admin, idOf(vehicles, `${step.who} ${step.plate}`))
        if (step.seen) await markNewNotificationsRead(tx)
        return
      case 'reject':
        await rejectVehicle(context, admin, idOf(vehicles, `${step.who} ${step.plate}`), step.reason)
        return
      case 'delete':
        await deleteVehicleAsAdmin(context, admin, idOf(vehicles, `${step.who} ${step.plate}`))
        if (step.seen) await markNewNotificationsRead(tx)
        return
      case 'send': {
        const { from, plate, text, province, reason, scene } = step
        const picture = scene && pictures.get(scene)
        const image = picture && (await storeImage(context, ids[from], picture))
        const wish = { plate: displayPlate(plate), content: text, province, reason, attachment_id: image?.id }
        const { id } = await send(ids[from], wish, null)
        if (step.name) messages.set(step.name, id)
        if (step.read) {
          await setMessageRead(tx, id, await findRecipientId(tx, id), true)
          await markNewNotificationsRead(tx)
        }
        if (step.mailFailed) await tx`update outbox set failed_at = now(), last_error = 'refused' where ref_id = ${id}`
        return
      }
      case 'reply': {
        const id = idOf(messages, step.to)
        await replyToMessage(context, await findRecipientId(tx, id), id, step.text)
        if (step.seen) await markNewNotificationsRead(tx)
      }
    }
  }
}

const findRecipientId = async (tx: Db, messageId: string): Promise<string> => {
  const [row] = await tx<{ user_id: string }[]>`
    select v.user_id from messages m join vehicles v on v.id = m.vehicle_id where m.id = ${messageId}`
  return row!.user_id // the message was just sent to a vehicle
}

/** Those this step has written. */
const markNewNotificationsRead = async (tx: Db): Promise<void> => {
  await tx`update notifications set is_read = true where created_at = now()`
}

/** Moves what was written since the last call to its time, and counts its mails as sent then. */
async function backdate(tx: Db, hoursAgo: number): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * HOUR_MS)
  await tx`
    update auth.users set created_at = ${at}, updated_at = ${at}, email_confirmed_at = ${at} where created_at = now()`
  await tx`update vehicles set created_at = ${at} where created_at = now()`
  await tx`
    update plate_disputes set created_at = ${at}, documents_due_at = ${getDocumentsDueAt(at)} where created_at = now()`
  await tx`update challenges_started set created_at = ${at} where created_at = now()`
  await tx`update attachments set created_at = ${at} where created_at = now()`
  await tx`update messages set inserted_at = ${at} where inserted_at = now()`
  await tx`update messages set replied_at = ${at} where replied_at = now()`
  await tx`update notifications set created_at = ${at} where created_at = now()`
  await tx`
    update outbox set created_at = ${at}, run_at = ${at}, attempts = 1,
      sent_at = case when failed_at is null then ${at}::timestamptz end,
      failed_at = case when failed_at is not null then ${at}::timestamptz end
    where created_at = now()`
}

/** The sign-in details as a small table. */
export function signInInstructions({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string {
  const rows = Object.values<SeedUser>(USERS).map(({ name, email, about }) => [email, name, about] as const)
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  return [
    'The demo is ready. Everybody signs in with the password',
    '',
    `  ${DEMO_PASSWORD}`,
    '',
    ...rows.map(([email, name, about]) => `  ${email.padEnd(width(0))}  ${name.padEnd(width(1))}  ${about}`),
    '',
    `Start with npm start, then go to ${PUBLIC_URL}${paths.login()} (en français : ${PUBLIC_URL}${localizedPath(paths.login(), 'fr-CA')}).`,
    '',
  ].join('\n')
}

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const { db, close } = await openDatabaseForCommand(config)
  try {
    const { masterKey, jwtSecret } = loadSecrets(config, { mayMake: !(await hasEncryptedData(db)) })
    const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
    await verifyKeys(db, keys)
    const files = await openFileStore(config)
    await migrate(db) // also before the first start of the server
    const keyring = await openKeyring(db, keys)
    await seedDatabase({ config, db, keyring, files, log: createLogger(config.LOG_LEVEL), jwtSecrets: [jwtSecret] })
    process.stdout.write(signInInstructions(config))
  } finally {
    await close()
  }
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    const expected = [ConfigError, EmbeddedError, FolderInUseError, MasterKeyError, MigrationError]
    const known = error instanceof Error && expected.some((kind) => error instanceof kind)
    process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}
