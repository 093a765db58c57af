import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { grantAdmin, revokeAdmin } from '../../auth/admin-role.ts'
import { insertChangeToken, replaceEmailChange } from '../../auth/email-change/queries.ts'
import { generateSecret, hashSecret } from '../../auth/tokens.ts'
import { openTransport } from '../../email/transport.ts'
import { startMailWorker } from '../../email/worker.ts'
import { holdPlate } from '../../holds/place-hold.ts'
import { hashPerson } from '../../limits/canonical-address.ts'
import { MAIL_RENDERERS } from '../../mail-renderers.ts'
import { escalateMessage } from '../../messages/escalate-message.ts'
import { listDueSteps } from '../../messages/escalation-queries.ts'
import { applySanction } from '../../sanctions/apply-sanction.ts'
import { insertAppealToken } from '../../sanctions/queries.ts'
import { findOrCreateSubject } from '../../subjects/queries.ts'
import { HOUR_MS } from '../../time.ts'
import { type CapturedMail, PASSWORD, type Person, type TestApp } from '../app.ts'
import { reportedMessage } from '../cases.ts'
import { openChallenges, registerPlate } from '../disputes.ts'
import { eventually } from '../eventually.ts'
import { withFactor } from '../factors.ts'
import type { startFakePushService } from '../fake-push-service.ts'
import { decodeClaims, encodeJwtPart } from '../jwt.ts'
import { uploadDocument, uploadImage } from '../upload.ts'
import { CALLERS, type CallerName } from './table.ts'

/** A day that a legal hold can end on. */
export const soon = (): string => new Date(Date.now() + 30 * 24 * HOUR_MS).toISOString().slice(0, 10)

/** The things of one person that a request can name. */
export type Things = {
  user: string
  email: string
  password: string
  vehicle: string
  message: string
  notification: string
  block: string
  /** A driver of the vehicle. */
  driver: string
  invitation: string
  invitationCode: string
  dispute: string
  /** The id of a reported message's case. */
  case: string
  /** The person, as admins know them. */
  person: string
  /** The id of a legal hold. */
  hold: string
  /** The id of what somebody wrote against a decision. */
  appeal: string
  /** What is in the emailed link to appeal a decision. */
  appealToken: string
  /** The id of what somebody wrote on the contact page. */
  submission: string
  /** The id of a document that a side of the dispute sent. */
  document: string
  /** The id of an image that no message uses yet. */
  image: string
  /** The file of the image that came with the message. */
  imageFile: string
  /** The address of a device at its push service. */
  device: string
  unsubscribe: string
  /** The token of a recovery link. */
  link: string
  refreshToken: string
  /** The token of the link by which a change of address is confirmed. */
  emailLink: string
  /** The id of a second factor that is being enrolled. */
  factor: string
  /** The id of a captured email, and of one that was given up. */
  mail: string
  failedMail: string
  /** The token of the tag of the vehicle, and what proves that somebody stands at it. */
  tag: string
  plateEnd: string
  /** Of a message that a guest left with it. */
  receipt: string
  /** The code of a note for the windshield, and the plate it is for. */
  note: string
  notePlate: string
}

export type MatrixCaller = {
  /** Undefined for somebody who sends none. */
  token: string | undefined
  own: Things
  /** Those of somebody else. */
  other: Things
}

export type Cast = {
  callers: Record<CallerName, MatrixCaller>
  /** Words that identify each of the people, which no refusal may contain. */
  marks: string[]
}

/** The callers with an account of their own; the two others have the owner's things, as far as they go. */
type AccountName = Exclude<CallerName, 'visitor' | 'badtoken'>
const hasAccount = (name: CallerName): name is AccountName => name !== 'visitor' && name !== 'badtoken'

/** The plate of somebody else's vehicle, to which everybody can write. */
export const LIVE_PLATE = 'BYSTAND'

/** Well-formed things that nobody has. */
export const MISSING: Things = {
  user: randomUUID(),
  email: 'nobody@missing.example',
  password: PASSWORD,
  vehicle: randomUUID(),
  message: randomUUID(),
  notification: randomUUID(),
  block: randomUUID(),
  driver: randomUUID(),
  invitation: randomUUID(),
  invitationCode: 'MMMM-MMMM',
  dispute: randomUUID(),
  person: randomUUID(),
  hold: randomUUID(),
  appeal: randomUUID(),
  appealToken: 'm'.repeat(43),
  submission: randomUUID(),
  case: randomUUID(),
  failedMail: randomUUID(),
  document: randomUUID(),
  image: randomUUID(),
  imageFile: `${'m'.repeat(43)}.webp`,
  device: '', // an address at the push service, which is known when it runs
  unsubscribe: 'm'.repeat(43),
  link: 'm'.repeat(43),
  refreshToken: 'm'.repeat(43),
  emailLink: 'm'.repeat(43),
  factor: randomUUID(),
  mail: randomUUID(),
  tag: 'm'.repeat(22),
  plateEnd: 'ZZZ',
  receipt: 'm'.repeat(43),
  note: '000000000000',
  notePlate: 'NOBODY',
}

/** Things that are nothing of the kind. */
export const MALFORMED = Object.fromEntries(Object.keys(MISSING).map((name) => [name, "x'%20or--1"])) as Things

type PushService = Awaited<ReturnType<typeof startFakePushService>>

/** Signs up everybody the matrix needs, and gives each of them one thing of every kind. */
export async function createCast(app: TestApp, service: PushService): Promise<Cast> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  const marks: string[] = []
  const signUp = async (name: string, metadata: Record<string, unknown> = {}) => {
    const mark = `zq${name}qz`
    const account = {
      email: `${mark}@example.com`,
      password: PASSWORD,
      data: { full_name: `${mark} Roy`, ...metadata },
    }
    const { status, text } = await app.visitor.post('/auth/v1/signup', account)
    assert.equal(status, 200, text)
    const person = await app.signIn(account.email, PASSWORD)
    marks.push(mark, person.id)
    return person
  }
  const names = CALLERS.filter(hasAccount)
  const forged = {
    is_admin: true,
    role: 'service_role',
    aal: 'aal2',
    app_metadata: { is_admin: true, role: 'admin' },
    banned_until: null,
  }
  const signedUp = await Promise.all(
    [...names, 'bystander' as const].map(
      async (name) => [name, await signUp(name, name === 'forged' ? forged : {})] as const,
    ),
  )
  const people = Object.fromEntries(signedUp) as Record<AccountName | 'bystander', Person>
  const [writer, challenger, incumbent, rival] = await Promise.all(
    ['writer', 'challenger', 'incumbent', 'rival'].map((name) => signUp(name)),
  )

  const upload = async (who: Person): Promise<{ id: string; url: string }> => {
    const { status, body, text } = await uploadImage(who, image)
    assert.equal(status, 201, text)
    return body
  }
  const sendTo = async (plate: string, from: Person) => {
    const { id, url } = await upload(from)
    const collision = { kind: 'saw', witness: true }
    const input = { plate, content: 'Somebody hit your car', reason: 'accident', attachment_id: id, collision }
    const { status, body, text } = await from.post('/api/messages', input)
    assert.equal(status, 201, text)
    return { message: body.id as string, imageFile: url.split('/').at(-1)! }
  }
  const subscribe = async (who: Person): Promise<string> => {
    const { endpoint, keys } = service.browser()
    assert.equal((await who.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
    return endpoint
  }
  const leaveAtVehicle = async (who: Person, vehicleId: string, plate: string) => {
    const { body } = await who.post(`/api/vehicles/${vehicleId}/tag`)
    const plateEnd = plate.slice(-3)
    const left = await app.visitor.post(`/api/tags/${body.token}/messages`, { plate_end: plateEnd, reason: 'alarm' })
    assert.equal(left.status, 201, left.text)
    return { tag: body.token as string, plateEnd, receipt: left.body.receipt as string }
  }
  const blockSender = async (who: Person, message: string): Promise<string> => {
    assert.equal((await who.post(`/api/messages/${message}/block`)).status, 204)
    return (await who.get('/api/blocks')).body.items[0].id
  }
  const enrol = async (who: Person): Promise<string> => {
    const { status, body, text } = await who.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Spare' })
    assert.equal(status, 200, text)
    return body.id
  }
  const challenge = async (plate: string, who: Person) => {
    assert.equal((await registerPlate(who, plate)).status, 200)
    return (await openChallenges(app, plate))[0]!.id
  }
  const sendDocument = async (who: Person, vehicleId: string): Promise<string> => {
    const { status, body, text } = await uploadDocument(who, vehicleId, image)
    assert.equal(status, 201, text)
    return body.id
  }
  const leaveNote = async (plate: string, from: Person): Promise<string> => {
    const { status, body, text } = await from.post('/api/notes', { plate, content: 'Your lights are on' })
    assert.equal(status, 201, text)
    return body.code
  }
  const rivalled = await app.vehicle(incumbent!, { plate: 'RIVALS1' })
  const otherDispute = await challenge(rivalled.plate, rival!)

  const createInvitation = async (owner: Person, vehicleId: string): Promise<{ id: string; code: string }> => {
    const { status, body, text } = await owner.post(`/api/vehicles/${vehicleId}/invitations`)
    assert.equal(status, 201, text)
    return body
  }
  const join = async (driver: Person, owner: Person, vehicleId: string) => {
    const { code } = await createInvitation(owner, vehicleId)
    const { status, text } = await driver.post('/api/invitations/accept', { code })
    assert.equal(status, 200, text)
  }
  // Before the driver has anything of their own, and before emails leave: what told a driver of a message is deleted when they
  // leave, and with it a captured email that tells of their own message too.
  const live = await app.vehicle(people.bystander, { plate: LIVE_PLATE })
  await join(people.former, people.bystander, live.id)
  const sentToLive = await sendTo(LIVE_PLATE, challenger!)
  /** What somebody who left the bystander's vehicle still knows of it. */
  const remembered = await readAndLeave(app, people.former, live.id, sentToLive)

  const mails = startMailWorker(app.context, MAIL_RENDERERS, openTransport(app.config, app.db))
  const collect = async (person: Person, plate: string): Promise<Things> => {
    const isBystander = person === people.bystander
    const vehicle = isBystander ? live : await app.vehicle(person, { plate })
    // not from the writer, whom everybody blocks
    const sent = isBystander ? sentToLive : await sendTo(plate, person === people.owner ? people.sender : writer!)
    const { body: notices } = await person.get('/api/notifications')
    const block = await blockSender(person, sent.message)
    const { id: unused } = await upload(person)
    await join(writer!, person, vehicle.id)
    const open = await createInvitation(person, vehicle.id)
    const { body: inVehicle } = await person.get(`/api/vehicles/${vehicle.id}/people`)
    const device = await subscribe(person)
    assert.equal((await app.visitor.post('/auth/v1/recover', { email: person.email })).status, 200)
    // a message and drivers come by email too, in an order that is nobody's business here
    const received = await eventually(async () => {
      const mails = await app.mails(person.email, 3)
      return mails.some(({ text }) => LINK.test(text)) ? mails : undefined
    })
    return {
      user: person.id,
      email: person.email,
      password: PASSWORD,
      vehicle: vehicle.id,
      ...sent,
      notification: notices.items[0].id,
      block,
      driver: inVehicle.items[1].id,
      invitation: open.id,
      invitationCode: open.code,
      dispute: '',
      person: await findSubjectOf(app, person),
      hold: '',
      appeal: '',
      appealToken: '',
      submission: '',
      case: '',
      document: '',
      image: unused,
      device,
      unsubscribe: findIn(received, /\/unsubscribe\/([\w-]{43})/),
      link: findIn(received, LINK),
      refreshToken: person.refreshToken,
      emailLink: await plantEmailLink(app, person),
      factor: await enrol(person),
      mail: received[0]!.id,
      failedMail: '',
      ...(await leaveAtVehicle(person, vehicle.id, plate)),
      note: await leaveNote(plate, writer!),
      notePlate: plate,
    }
  }
  const collected = await Promise.all(
    signedUp.map(async ([name, person], i) => {
      const plate = name === 'bystander' ? LIVE_PLATE : `MATRIX${i}`
      return [name, await collect(person, plate)] as const
    }),
  ).catch(async (error: unknown) => {
    await mails.stop() // it would keep the process alive
    throw error
  })
  await mails.stop()
  const things = Object.fromEntries(collected) as Record<keyof typeof people, Things>
  // the sender's message is the one the owner received
  things.sender.message = things.owner.message
  const [ownAppeal, otherAppeal] = await appealWarnings(app, [rival!, incumbent!])
  const [ownToken, otherToken] = [await warnWithToken(app, writer!), await warnWithToken(app, writer!)]
  const ownDispute = await challenge(`MATRIX${names.indexOf('disputed')}`, challenger!)
  const [ownSubmission, otherSubmission] = await writeToSupport(app)
  const [ownCase, otherCase] = [
    await reportedMessage(app, { sender: writer!, owner: incumbent! }),
    await reportedMessage(app, { sender: writer!, owner: incumbent! }),
  ]
  const ownFailedMail = await giveUpMail(app, things.owner.user)
  const [ownHold, otherHold] = [await holdSomePlate(app, people.admin), await holdSomePlate(app, people.admin)]
  const ownDocument = await sendDocument(people.disputed, things.disputed.vehicle)
  for (const one of Object.values(things))
    Object.assign(one, {
      dispute: ownDispute,
      submission: ownSubmission,
      document: ownDocument,
      case: ownCase.caseId,
      failedMail: ownFailedMail,
      hold: ownHold,
      appeal: ownAppeal,
      appealToken: ownToken,
    })
  const otherDocument = await sendDocument(incumbent!, rivalled.id)
  Object.assign(things.bystander, {
    dispute: otherDispute,
    submission: otherSubmission,
    document: otherDocument,
    case: otherCase.caseId,
    failedMail: await giveUpMail(app, things.bystander.user),
    hold: otherHold,
    appeal: otherAppeal,
    appealToken: otherToken,
  })
  MISSING.device = service.browser().endpoint

  for (const name of ['admin', 'admin2', 'demoted'] as const) assert.ok(await grantAdmin(app.db, people[name].email))
  const demoted = await app.signIn(people.demoted.email, PASSWORD)
  things.demoted.device = await subscribe(demoted)
  assert.equal(await revokeAdmin(app.db, demoted.email), 'revoked')
  await app.db`update auth.users set email_confirmed_at = null where id = ${people.unverified.id}`
  await app.db.begin((tx) =>
    applySanction(tx, app.context, {
      subjectId: things.suspended.person,
      kind: 'suspend',
      reason: 'Threats',
      actor: null,
    }),
  )
  people.suspended = await app.signIn(people.suspended.email, PASSWORD)
  things.suspended.refreshToken = people.suspended.refreshToken
  const { status } = await people.deleted.post('/functions/v1/delete-user', { id: people.deleted.id })
  assert.equal(status, 200)
  await eventually(async () => {
    const [file] = await app.db`select from attachment_files_to_delete limit 1`
    return file ? undefined : true // the account's images are gone too: from now on nothing changes by itself
  })

  const admin2 = await withFactor(app, people.admin2)
  Object.assign(things.admin2, { factor: await enrol(admin2), refreshToken: admin2.refreshToken })

  const tokens: Record<CallerName, string | undefined> = {
    ...(Object.fromEntries(names.map((name) => [name, people[name].token])) as Record<AccountName, string>),
    admin2: admin2.token,
    demoted: demoted.token,
    visitor: undefined,
    badtoken: withForgedClaims(people.owner.token),
  }
  const callers = CALLERS.map((name): [CallerName, MatrixCaller] => {
    const own = things[hasAccount(name) ? name : 'owner']
    const other = name === 'former' ? { ...things.bystander, ...remembered } : things.bystander
    return [name, { token: tokens[name], own, other }]
  })
  return { callers: Object.fromEntries(callers) as Record<CallerName, MatrixCaller>, marks }
}

/** Leaves an email to somebody that the mail server refused. Returns its id. */
async function giveUpMail({ db }: TestApp, recipientId: string): Promise<string> {
  const id = randomUUID()
  await db`
    insert into outbox (id, kind, ref_id, recipient_id, failed_at, last_error)
    values (${id}, 'notice', ${randomUUID()}, ${recipientId}, now(), 'smtp_550')`
  return id
}

/** Has a driver read a message to the vehicle, with its image and its notification, and leave. Returns what they keep in mind. */
async function readAndLeave(
  app: TestApp,
  driver: Person,
  vehicleId: string,
  { message }: { message: string },
): Promise<Partial<Things>> {
  const read = await eventually(async () => {
    const now = new Date()
    for (const due of await listDueSteps(app.db, now, 1_000)) await escalateMessage(app.context, due, now)
    const answer = await driver.get(`/api/messages/${message}`)
    return answer.status === 200 ? answer : undefined
  })
  const image: string = read.body.image_url
  assert.equal((await driver.get(image)).status, 200)
  const { body: notices } = await driver.get('/api/notifications')
  const [notice] = notices.items.filter(({ data }: { data: { message_id?: string } }) => data.message_id === message)
  const { body: people } = await driver.get(`/api/vehicles/${vehicleId}/people`)
  const { id } = people.items.find(({ is_me }: { is_me: boolean }) => is_me)
  const left = await driver.delete(`/api/vehicles/${vehicleId}/people/${id}`)
  assert.equal(left.status, 204, left.text)
  return { notification: notice.id, imageFile: image.split('/').at(-1)!, driver: id }
}

/** Returns the person of an account, as admins know them. */
const findSubjectOf = (app: TestApp, { email }: Person) =>
  findOrCreateSubject(app.db, hashPerson(app.context.keyring, email))

/** Has somebody ask for a change of address, and returns what the link in the email to their own mailbox has. */
async function plantEmailLink(app: TestApp, { id }: Person): Promise<string> {
  const [changeId, token] = [randomUUID(), generateSecret()]
  await replaceEmailChange(app.db, changeId, id, `${changeId}@example.com`)
  await insertChangeToken(app.db, hashSecret(token), 'confirm_current', changeId)
  return token
}

/** Warns somebody, and returns what the link in the email to them has. */
async function warnWithToken(app: TestApp, person: Person): Promise<string> {
  const subjectId = await findSubjectOf(app, person)
  const token = generateSecret()
  const sanctionId = await app.db.begin((tx) =>
    applySanction(tx, app.context, { subjectId, kind: 'warn', reason: 'Once is enough', actor: null }),
  )
  await insertAppealToken(app.db, hashSecret(token), sanctionId)
  return token
}

/** Warns two people, who appeal it. Returns the ids of what they wrote. */
async function appealWarnings(app: TestApp, people: Person[]): Promise<string[]> {
  return Promise.all(
    people.map(async (person) => {
      const subjectId = await findSubjectOf(app, person)
      await app.db.begin((tx) =>
        applySanction(tx, app.context, { subjectId, kind: 'warn', reason: 'Once is enough', actor: null }),
      )
      const { status, body, text } = await person.post('/api/appeals', { text: 'It was not me.' })
      assert.equal(status, 201, text)
      return body.id
    }),
  )
}

/** Has two visitors write on the contact page. Returns the ids of what they wrote. */
async function writeToSupport(app: TestApp): Promise<string[]> {
  for (const name of ['Sam', 'Kim']) {
    const form = { type: 'contact', name, email: `${name}@example.com`, subject: 'partnership', message: 'Hello' }
    assert.equal((await app.visitor.post('/send-email', form)).status, 200)
  }
  return (await app.db<{ id: string }[]>`select id from contact_submissions order by id`).map(({ id }) => id)
}

const LINK = /\/auth\/v1\/verify\?(?:\S*&)?token=([\w-]{43})/

function findIn(mails: CapturedMail[], pattern: RegExp): string {
  for (const { text, html } of mails) {
    const found = pattern.exec(text) ?? pattern.exec(html.replaceAll('&amp;', '&'))
    if (found) return found[1]!
  }
  throw new Error(`no mail has ${pattern.source}`)
}

/** Returns a token that claims to be an admin's, with the signature it had before. */
function withForgedClaims(token: string): string {
  const [header, , signature] = token.split('.')
  const claims = { ...decodeClaims(token), is_admin: true, role: 'service_role', aal: 'aal2' }
  return `${header}.${encodeJwtPart(claims)}.${signature}`
}

/** Places a legal hold on a plate that nobody has. */
const holdSomePlate = (app: TestApp, admin: Person): Promise<string> =>
  holdPlate(app.context, admin, {
    plate: 'HELD1',
    province: 'Ontario',
    reason: 'An order',
    reference: '24-1187',
    ends_on: soon(),
  })
