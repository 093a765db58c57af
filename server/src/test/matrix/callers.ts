import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { grantAdmin, revokeAdmin } from '../../auth/admin-role.ts'
import { openTransport } from '../../email/transport.ts'
import { startMailWorker } from '../../email/worker.ts'
import { MAIL_RENDERERS } from '../../mail-renderers.ts'
import { applySanction } from '../../sanctions/apply-sanction.ts'
import { accepted, PASSWORD, type Person, type TestApp } from '../app.ts'
import { reportedMessage } from '../cases.ts'
import { openChallenges, registerPlate } from '../disputes.ts'
import { eventually } from '../eventually.ts'
import { withFactor } from '../factors.ts'
import type { startFakePushService } from '../fake-push-service.ts'
import { sendMessage } from '../messages.ts'
import { beginByCode } from '../sessions.ts'
import { drawPng, uploadDocument, uploadImage } from '../upload.ts'
import { invite, join } from '../vehicle-people.ts'
import {
  appealWarning,
  findIn,
  findSubjectOf,
  giveUpMail,
  LINK,
  plantEmailLink,
  readAndLeave,
  UNSUBSCRIBE,
  warnWithToken,
  withForgedClaims,
} from './prepare-things.ts'
import { CALLERS, type CallerName } from './table.ts'

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

const newThing = (): string => randomUUID()

/** The things of one person that a request can name; these are well formed, and nobody has them. */
export const MISSING = {
  user: newThing(),
  email: 'nobody@missing.example',
  password: PASSWORD,
  vehicle: newThing(),
  message: newThing(),
  notification: newThing(),
  block: newThing(),
  /** A driver of the vehicle. */
  driver: newThing(),
  invitation: newThing(),
  invitationCode: 'MMMM-MMMM',
  dispute: newThing(),
  /** The person, as admins know them. */
  person: newThing(),
  /** The id of what somebody wrote against a decision, and what is in the emailed link to do so. */
  appeal: newThing(),
  appealToken: 'm'.repeat(43),
  /** The id of a reported message's case. */
  case: newThing(),
  /** The id of a document that a side of the dispute sent. */
  document: newThing(),
  /** The id of an image that no message uses yet, and the file of the image that came with the message. */
  image: newThing(),
  imageFile: `${'m'.repeat(43)}.webp`,
  /** The address of a device at its push service, which is known when it runs. */
  device: '',
  unsubscribe: 'm'.repeat(43),
  /** The token of a recovery link, and of the link by which a change of address is confirmed. */
  link: 'm'.repeat(43),
  emailLink: 'm'.repeat(43),
  refreshToken: 'm'.repeat(43),
  /** The id of a second factor that is being enrolled. */
  factor: newThing(),
  /** The id of a captured email, and of one that was given up. */
  mail: newThing(),
  failedMail: newThing(),
  /** The token of the tag of the vehicle, what proves that somebody stands at it, and a message that a guest left with it. */
  tag: 'm'.repeat(22),
  plateEnd: 'ZZZ',
  receipt: 'm'.repeat(43),
  /** The code of a note for the windshield, and the plate it is for. */
  note: '000000000000',
  notePlate: 'NOBODY',
}
export type Things = typeof MISSING

/** Things that are nothing of the kind. */
export const MALFORMED = Object.fromEntries(Object.keys(MISSING).map((name) => [name, "x'%20or--1"])) as Things

type PushService = Awaited<ReturnType<typeof startFakePushService>>

/** Signs up everybody the matrix needs, and gives each of them one thing of every kind. */
export async function createCast(app: TestApp, service: PushService): Promise<Cast> {
  const image = await drawPng()
  const marks: string[] = []
  const signUp = async (name: string, metadata: Record<string, unknown> = {}) => {
    const mark = `zq${name}qz`
    const account = {
      email: `${mark}@example.com`,
      password: PASSWORD,
      data: { full_name: `${mark} Roy`, ...metadata },
    }
    await accepted(app.visitor.post('/auth/v1/signup', account))
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

  const upload = async (who: Person): Promise<{ id: string; url: string }> => accepted(uploadImage(who, image))
  const sendTo = async (plate: string, from: Person) => {
    const { id, url } = await upload(from)
    const collision = { kind: 'saw', witness: true }
    const about = { reason: 'accident', attachment_id: id, collision }
    const message = await sendMessage(from, plate, 'Somebody hit your car', about)
    return { message, imageFile: url.split('/').at(-1)! }
  }
  const subscribe = async (who: Person): Promise<string> => {
    const { endpoint, keys } = service.browser()
    assert.equal((await who.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
    return endpoint
  }
  const leaveAtVehicle = async (who: Person, vehicleId: string, plate: string) => {
    const { body } = await who.post(`/api/vehicles/${vehicleId}/tag`)
    const plateEnd = plate.slice(-3)
    const form = new URLSearchParams({ plate_end: plateEnd, reason: 'alarm' })
    const left = await app.visitor.post(`/t/${body.token}`, form)
    assert.equal(left.status, 200, left.text)
    return { tag: body.token as string, plateEnd, receipt: left.body.RECEIPT as string }
  }
  const blockSender = async (who: Person, message: string): Promise<string> => {
    assert.equal((await who.post(`/api/messages/${message}/block`)).status, 204)
    return (await who.get('/api/blocks')).body.items[0].id
  }
  const enrol = async (who: Person): Promise<string> => {
    await beginByCode(app, who)
    const { status, body, text } = await who.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Spare' })
    await beginByCode(app, who, 'password')
    assert.equal(status, 200, text)
    return body.id
  }
  const challenge = async (plate: string, who: Person) => {
    assert.equal((await registerPlate(who, plate)).status, 200)
    return (await openChallenges(app, plate))[0]!.id
  }
  const sendDocument = async (who: Person, vehicleId: string): Promise<string> =>
    (await accepted(uploadDocument(who, vehicleId, image))).id
  const leaveNote = async (plate: string, from: Person): Promise<string> =>
    (await accepted(from.post('/api/notes', { plate, content: 'Your lights are on' }))).code
  const rivalled = await app.vehicle(incumbent!, { plate: 'RIVALS1' })
  const otherDispute = await challenge(rivalled.plate, rival!)

  // Before the driver has anything of their own, and before emails leave: the notification of a driver about a message is
  // deleted when they leave, and with it a captured email that is about their own message too.
  const live = await app.vehicle(people.bystander, { plate: LIVE_PLATE })
  await join(people.bystander, live.id, people.former)
  const sentToLive = await sendTo(LIVE_PLATE, challenger!)
  /** What somebody who left the bystander's vehicle still knows of it. */
  const remembered = await readAndLeave(people.former, live.id, sentToLive)

  const mails = startMailWorker(app.context, MAIL_RENDERERS, openTransport(app.config, app.db))
  const collect = async (person: Person, plate: string): Promise<Things> => {
    const isBystander = person === people.bystander
    const vehicle = isBystander ? live : await app.vehicle(person, { plate })
    // not from the writer, whom everybody blocks
    const sent = isBystander ? sentToLive : await sendTo(plate, person === people.owner ? people.sender : writer!)
    const { body: notices } = await person.get('/api/notifications')
    // before its sender is blocked: an email that still waits would leave it out
    await eventually(
      async () => (await app.mails(person.email)).some(({ text }) => UNSUBSCRIBE.test(text)) || undefined,
    )
    const block = await blockSender(person, sent.message)
    const { id: unused } = await upload(person)
    await join(person, vehicle.id, writer!)
    const open = await invite(person, vehicle.id)
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
      appeal: '',
      appealToken: '',
      case: '',
      document: '',
      image: unused,
      device,
      unsubscribe: findIn(received, UNSUBSCRIBE),
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
  const [ownAppeal, otherAppeal] = [await appealWarning(app, rival!), await appealWarning(app, incumbent!)]
  const [ownToken, otherToken] = [await warnWithToken(app, writer!), await warnWithToken(app, writer!)]
  const ownDispute = await challenge(`MATRIX${names.indexOf('disputed')}`, challenger!)
  const [ownCase, otherCase] = [
    await reportedMessage(app, { sender: writer!, owner: incumbent! }),
    await reportedMessage(app, { sender: writer!, owner: incumbent! }),
  ]
  const ownFailedMail = await giveUpMail(app, things.owner.user)
  const ownDocument = await sendDocument(people.disputed, things.disputed.vehicle)
  for (const one of Object.values(things))
    Object.assign(one, {
      dispute: ownDispute,
      document: ownDocument,
      case: ownCase.caseId,
      failedMail: ownFailedMail,
      appeal: ownAppeal,
      appealToken: ownToken,
    })
  const otherDocument = await sendDocument(incumbent!, rivalled.id)
  Object.assign(things.bystander, {
    dispute: otherDispute,
    document: otherDocument,
    case: otherCase.caseId,
    failedMail: await giveUpMail(app, things.bystander.user),
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
    const [file] = await app.db`select from files_to_delete limit 1`
    return file ? undefined : true // the account's images are gone too: from now on nothing changes by itself
  })

  const admin2 = await withFactor(app, people.admin2)
  await beginByCode(app, admin2, 'password')
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
