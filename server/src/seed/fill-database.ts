import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { localizedPath, paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { createImageProcesses, type ImageProcesses } from '../attachments/image-processes.ts'
import { storeImage } from '../attachments/store-image.ts'
import { grantAdmin } from '../auth/admin-role.ts'
import { createPasswordHasher } from '../auth/password.ts'
import { confirmUser, findOrCreateUser } from '../auth/user-queries.ts'
import { type Config, ConfigError } from '../config.ts'
import { recordConsent } from '../consent/consent.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db, Pool } from '../db/pool.ts'
import { getDocumentsDueAt } from '../disputes/business-days.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { setMessageRead } from '../messages/queries.ts'
import { replyToMessage } from '../messages/reply-to-message.ts'
import { makeSendMessage } from '../messages/send-message.ts'
import { changePreferences } from '../preferences/queries.ts'
import { HOUR_MS } from '../time.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { registerVehicle } from '../vehicles/register-vehicle.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import {
  EVENTS,
  type PictureName,
  SEED_PASSWORD,
  type SeedEvent,
  type SeedUser,
  USERS,
  type UserKey,
} from './events.ts'

/** The accounts are older than every event. */
const ACCOUNTS_CREATED_HOURS_AGO = 45 * 24

type SeedContext = Omit<AppContext, 'live' | 'outbox'>

/**
 * Fills an empty database, all or nothing, through the product's own flows. Everything happens in one transaction: its
 * emails count as sent before any worker can see them, and `now()` identifies the rows an event has just written, which are
 * then backdated.
 *
 * @throws ConfigError in production, or when there are users in the database
 */
export async function seedDatabase(context: SeedContext): Promise<void> {
  if (context.config.production) throw new ConfigError('The seed is never for production (NODE_ENV is production).')
  await context.db.begin(async (tx) => {
    // keeps anyone from signing up meanwhile
    await tx`lock table auth.users in share row exclusive mode`
    const [existing] = await tx`select 1 from auth.users limit 1`
    if (existing) throw new ConfigError('There are people in this database; the seed fills only an empty one.')

    const seedContext: AppContext = { ...context, db: asPool(tx), live: NOOP_LIVE_HUB, outbox: { wake() {} } }
    const ids = await createUsers(tx, context.keyring)
    await grantAdmin(seedContext.db, USERS.grace.email)
    await backdate(tx, ACCOUNTS_CREATED_HOURS_AGO)
    const images = createImageProcesses(context.log)
    try {
      const run = makeEventRunner(seedContext, images, tx, ids)
      for (const event of EVENTS.toSorted((a, b) => b.hoursAgo - a.hoursAgo)) {
        await run(event)
        await backdate(tx, event.hoursAgo)
      }
    } finally {
      images.close()
    }
  })
}

/** Publishes nothing: there are no streams yet, and streams that open later read the database. */
const NOOP_LIVE_HUB: AppContext['live'] = {
  publish() {},
  publishChange() {},
  publishSessionChange() {},
  subscribe: () => () => {},
  subscribeAll: () => () => {},
  countStreams: () => 0,
  close: async () => {},
}

/** Presents the transaction as the pool that flows take: a transaction they begin becomes a savepoint of it. */
const asPool = (tx: Db): Pool =>
  new Proxy(tx, { get: (target, name) => Reflect.get(target, name === 'begin' ? 'savepoint' : name) }) as Pool

/** Creates the accounts, with confirmed addresses. */
async function createUsers(tx: Db, keyring: Keyring): Promise<Record<UserKey, string>> {
  const passwords = createPasswordHasher()
  const ids: Record<string, string> = {}
  for (const [key, user] of Object.entries<SeedUser>(USERS)) {
    const { id } = await findOrCreateUser(tx, newId(), user.email, hashPerson(keyring, user.email))
    await confirmUser(tx, id, await passwords.hash(SEED_PASSWORD), { full_name: user.name, locale: user.locale })
    const { emailMessages = DEFAULT_PREFERENCES.email_messages, locale } = user
    await changePreferences(tx, id, { locale, email_messages: emailMessages })
    await recordConsent(tx, id, { version: TERMS_VERSION, locale })
    ids[key] = id
  }
  return ids as Record<UserKey, string> // one for each of USERS
}

/** Returns a function that makes one event happen; later events may refer to the vehicles and messages of earlier ones. */
function makeEventRunner(context: AppContext, images: ImageProcesses, tx: Db, ids: Record<UserKey, string>) {
  const admin = { id: ids.grace, email: USERS.grace.email, adminNeedsFactor: false, factorAgeS: null }
  const send = makeSendMessage(context)
  const personOf = (who: UserKey) => ({ id: ids[who], personHash: hashPerson(context.keyring, USERS[who].email) })
  const vehicles = new Map<string, string>()
  const messages = new Map<string, string>()
  const idOf = (map: Map<string, string>, name: string) => {
    const id = map.get(name)
    if (!id) throw new Error(`no earlier event creates ${name}`)
    return id
  }

  return async (event: SeedEvent): Promise<void> => {
    switch (event.do) {
      case 'register': {
        const { who, plate, make, model, year, province } = event
        const input = { plate: displayPlate(plate), make, model, registration_year: year, province }
        const { vehicle } = await registerVehicle(context, personOf(who), input)
        vehicles.set(`${who} ${plate}`, vehicle.id)
        return
      }
      case 'approve':
        await approveVehicle(context, admin, idOf(vehicles, `${event.who} ${event.plate}`))
        if (event.seen) await markNewNotificationsRead(tx)
        return
      case 'reject':
        await rejectVehicle(context, admin, idOf(vehicles, `${event.who} ${event.plate}`), event.reason)
        return
      case 'delete':
        await deleteVehicleAsAdmin(context, admin, idOf(vehicles, `${event.who} ${event.plate}`))
        if (event.seen) await markNewNotificationsRead(tx)
        return
      case 'send': {
        const { from, plate, text, province, reason, picture } = event
        const image = picture && (await storeImage(context, images, ids[from], readPicture(picture)))
        const input = { plate: displayPlate(plate), content: text, province, reason, attachment_id: image?.id }
        const { id } = await send({ ...personOf(from), ip: '127.0.0.1' }, input, null)
        if (event.name) messages.set(event.name, id)
        if (event.read) {
          await setMessageRead(tx, id, (await findRecipient(tx, id)).id, true)
          await markNewNotificationsRead(tx)
        }
        if (event.mailFailed) {
          await tx`update outbox set failed_at = now(), last_error = 'refused' where ref_id = ${id}`
          await tx`update messages set email_failed_at = now() where id = ${id}`
        }
        return
      }
      case 'reply': {
        const id = idOf(messages, event.to)
        await replyToMessage(context, await findRecipient(tx, id), id, { reply: event.text, answer: null })
        if (event.seen) await markNewNotificationsRead(tx)
      }
    }
  }
}

const readPicture = (name: PictureName): Buffer => readFileSync(join(import.meta.dirname, `${name}.webp`))

const findRecipient = async (tx: Db, messageId: string): Promise<{ id: string; personHash: Buffer }> => {
  const [row] = await tx<{ id: string; personHash: Buffer }[]>`
    select u.id, u.person_hash as "personHash"
    from messages m
    join vehicles v on v.id = m.vehicle_id
    join auth.users u on u.id = v.user_id
    where m.id = ${messageId}`
  return row! // the message was just sent to a vehicle
}

/** Marks the notifications of the current event as read. */
const markNewNotificationsRead = async (tx: Db): Promise<void> => {
  await tx`update notifications set is_read = true where created_at = now()`
}

/**
 * Backdates everything the current event has written, and counts its emails as sent at that time. Nothing that was seeded
 * counts towards anyone's limits.
 */
async function backdate(tx: Db, hoursAgo: number): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * HOUR_MS)
  await tx`delete from rate_counters where key ~ '^(?:register|send|pair|send-network-[a-z-]+):'`
  await tx`
    update auth.users set created_at = ${at}, updated_at = ${at}, email_confirmed_at = ${at} where created_at = now()`
  await tx`update vehicles set created_at = ${at} where created_at = now()`
  await tx`update vehicles set challenge_survived_at = ${at} where challenge_survived_at = now()`
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

/** Returns the sign-in details as a small table. */
export function signInInstructions({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string {
  const rows = Object.values<SeedUser>(USERS).map(({ name, email, about }) => [email, name, about] as const)
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  return [
    'The database is seeded. Everybody signs in with the password',
    '',
    `  ${SEED_PASSWORD}`,
    '',
    ...rows.map(([email, name, about]) => `  ${email.padEnd(width(0))}  ${name.padEnd(width(1))}  ${about}`),
    '',
    `Start with npm start, then go to ${PUBLIC_URL}${paths.login()} (en français : ${PUBLIC_URL}${localizedPath(paths.login(), 'fr-CA')}).`,
    '',
  ].join('\n')
}
