import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageReason } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
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
import { hashPerson } from '../limits/canonical-address.ts'
import { setMessageRead } from '../messages/queries.ts'
import { replyToMessage } from '../messages/reply-to-message.ts'
import { makeSendMessage } from '../messages/send-message.ts'
import { changePreferences } from '../preferences/queries.ts'
import { HOUR_MS } from '../time.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { registerVehicle } from '../vehicles/register-vehicle.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'

/** The password of every seeded person. */
export const SEED_PASSWORD = 'Plate-seed-2025'

type SeedUser = { name: string; email: string; locale: Locale; about: string }

export const USERS = {
  maya: { name: 'Maya Chen', email: 'maya.chen@example.com', locale: 'en', about: 'owner: vehicles in every state' },
  etienne: { name: 'Étienne Gagnon', email: 'etienne.gagnon@example.com', locale: 'fr-CA', about: 'owner in French' },
  amelie: { name: 'Amélie Roy', email: 'amelie.roy@example.com', locale: 'fr-CA', about: 'challenges a plate' },
  noah: { name: 'Noah Singh', email: 'noah.singh@example.com', locale: 'en', about: 'new here: nothing yet' },
  grace: { name: 'Grace MacLeod', email: 'grace.macleod@example.com', locale: 'en', about: 'admin' },
} satisfies Record<string, SeedUser>
type UserKey = keyof typeof USERS

type SeedContext = Omit<AppContext, 'live' | 'outbox'>

/**
 * Fills an empty database, all or nothing, through the product's own flows. Everything happens in one transaction: its
 * emails count as sent before any worker can see them, and `now()` identifies the rows that were just written, which are
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
    const images = createImageProcesses(context.log)
    try {
      await tellStory({ ...context, db: asPool(tx), live: NOOP_LIVE_HUB, outbox: { wake() {} } }, tx, images)
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

const DAY = 24

/** Lets everything happen, the earliest first. What is older than a day has been seen. */
async function tellStory(context: AppContext, tx: Db, images: ImageProcesses): Promise<void> {
  const ids = await createUsers(context, tx)
  const admin = { id: ids.grace, email: USERS.grace.email, adminNeedsFactor: false, factorAgeS: null }
  const sendMessage = makeSendMessage(context)
  const personOf = (who: UserKey) => ({ id: ids[who], personHash: hashPerson(context.keyring, USERS[who].email) })

  const register = async (hoursAgo: number, who: UserKey, plate: string, make: string, model: string, year: number) => {
    const input = { plate: displayPlate(plate), make, model, registration_year: year, province: PROVINCE_OF[who] }
    const { vehicle } = await registerVehicle(context, personOf(who), input)
    await backdate(tx, hoursAgo)
    return { owner: who, id: vehicle.id, plate: input.plate }
  }
  type Vehicle = Awaited<ReturnType<typeof register>>
  const approve = async (hoursAgo: number, { id }: Vehicle) => {
    await approveVehicle(context, admin, id)
    await backdate(tx, hoursAgo)
  }
  const send = async (
    hoursAgo: number,
    from: UserKey,
    { owner, plate }: Vehicle,
    reason: MessageReason,
    content: string,
    picture?: string,
  ) => {
    const file = picture && readFileSync(join(import.meta.dirname, `${picture}.webp`))
    const image = file ? await storeImage(context, images, ids[from], file) : undefined
    const input = { plate, content, reason, province: PROVINCE_OF[owner], attachment_id: image?.id }
    const { id } = await sendMessage({ ...personOf(from), ip: '127.0.0.1' }, input, null)
    if (hoursAgo > DAY) await setMessageRead(tx, id, ids[owner], true)
    await backdate(tx, hoursAgo)
    return { owner, id }
  }
  const reply = async (hoursAgo: number, { owner, id }: Awaited<ReturnType<typeof send>>, text: string) => {
    await replyToMessage(context, personOf(owner), id, { reply: text, answer: null })
    await backdate(tx, hoursAgo)
  }

  const civic = await register(41 * DAY, 'maya', 'CJKL207', 'Honda', 'Civic', 2019)
  const corolla = await register(40 * DAY, 'etienne', 'F12-NSB', 'Toyota', 'Corolla', 2018)
  await approve(33 * DAY, civic)
  const lights = await send(
    30 * DAY,
    'etienne',
    civic,
    'lights_on',
    'Hi! Your headlights are still on in the lot behind the library, level P1. I took a picture so that you can find the spot.',
    'headlights-at-night',
  )
  await reply(29 * DAY, lights, 'You saved my evening. It started on the first try. Thank you so much! 🙏')
  const rav4 = await register(19 * DAY, 'maya', 'BXTR914', 'Toyota', 'RAV4', 2022)
  const mazda = await register(18 * DAY, 'maya', 'CKMW310', 'Mazda', 'CX-5', 2016)
  await rejectVehicle(context, admin, mazda.id, 'The registration you sent us names another plate.')
  await backdate(tx, 15 * DAY)
  const hatch = await send(
    12 * DAY,
    'amelie',
    corolla,
    'door_open',
    'Bonjour, le hayon de votre Corolla est resté entrouvert devant la pharmacie. Rien ne semble manquer, mais il commence à neiger. ❄️',
  )
  await reply(11 * DAY, hatch, 'Un gros merci! J’y suis retourné à temps.')
  const bolt = await register(4 * DAY, 'etienne', 'K83PLM', 'Chevrolet', 'Bolt EV', 2020)
  await send(
    3 * DAY,
    'maya',
    bolt,
    'flat_or_leak',
    'Your right rear tire is almost flat. There is a screw in it, you can see it in the picture. Please don’t take the highway like this!',
    'flat-tyre',
  )
  await register(2 * DAY, 'amelie', 'K83-PLM', 'Chevrolet', 'Bolt EV', 2020) // a challenge
  await send(
    20,
    'amelie',
    rav4,
    'blocked_in',
    'You are parked across our driveway. Could you move before 4? I have to pick the children up at school.',
    'blocked-driveway',
  )
  await send(7, 'etienne', civic, 'someone_inside', 'There is a dog in your car and the sun is coming around. Level 2.')
  await send(1, 'maya', corolla, 'lights_on', 'Votre plafonnier est allumé et une portière n’est pas fermée.')
}

/** Where each registers vehicles. */
const PROVINCE_OF: Record<UserKey, Province> = {
  maya: 'Ontario',
  etienne: 'Quebec',
  amelie: 'Quebec',
  noah: 'Ontario',
  grace: 'Ontario',
}

/** Creates the accounts, with confirmed addresses, before everything else. */
async function createUsers({ db, keyring }: AppContext, tx: Db): Promise<Record<UserKey, string>> {
  const passwords = createPasswordHasher()
  const ids: Record<string, string> = {}
  for (const [key, { name, email, locale }] of Object.entries<SeedUser>(USERS)) {
    const { id } = await findOrCreateUser(tx, newId(), email, hashPerson(keyring, email))
    await confirmUser(tx, id, await passwords.hash(SEED_PASSWORD), { full_name: name, locale })
    await changePreferences(tx, id, { locale })
    await recordConsent(tx, id, { version: TERMS_VERSION, locale })
    ids[key] = id
  }
  await grantAdmin(db, USERS.grace.email)
  await backdate(tx, 45 * DAY)
  return ids as Record<UserKey, string> // one for each of USERS
}

/**
 * Backdates everything that was just written, and counts its emails as sent at that time. Nothing that was seeded
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
  await tx`update notifications set created_at = ${at}, is_read = ${hoursAgo > DAY} where created_at = now()`
  await tx`
    update outbox set created_at = ${at}, run_at = ${at}, attempts = 1, sent_at = ${at}::timestamptz
    where created_at = now()`
}

/** Returns the sign-in details. */
export const signInInstructions = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string =>
  `The database is seeded. Everybody signs in with the password

  ${SEED_PASSWORD}

${Object.values<SeedUser>(USERS)
  .map(({ name, email, about }) => `  ${email.padEnd(28)}${name.padEnd(16)}${about}`)
  .join('\n')}

Start with npm start, then go to ${PUBLIC_URL}${paths.login()} (en français : ${PUBLIC_URL}${localizedPath(paths.login(), 'fr-CA')}).
`
