import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { formatDueDate } from '../disputes/business-days.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { type Person, testApp } from '../test/app.ts'
import {
  createAdmin,
  createTwoUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  queuedMailKinds,
  registerPlate,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

// Nobody keeps a plate silent by challenging it again and again (decision 0077).

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

let plateCount = 0
const newPlate = () => `CHAIN${String(++plateCount).padStart(2, '0')}`

const deleteAccount = async (person: Person) => {
  assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)
}
const send = async (plate: string) => {
  const response = await (await app.user()).post('/api/messages', { plate, content: 'Your lights are on' })
  return response.body.code ?? response.status
}

/** Registers a plate for a person, and lets it survive a challenge: from then on none pauses it for ninety days. */
const registerSurvivor = async (owner: Person, plate: string) => {
  await registerPlate(owner, plate)
  const challenger = await app.user()
  await registerPlate(challenger, plate)
  await challenger.delete(`/api/vehicles/${(await onlyVehicleOf(challenger)).id}`)
}
const passNinetyDays = (plate: string) =>
  app.db`update vehicles set challenge_survived_at = now() - interval '91 days' where plate = ${plate}`

/** Lets a challenge of a new account fail in one of the ways there are. */
const waysToFail: [how: string, fail: (challenger: Person, plate: string) => Promise<unknown>][] = [
  ['withdrawn', async (challenger) => challenger.delete(`/api/vehicles/${(await onlyVehicleOf(challenger)).id}`)],
  ['withdrawn with the account', (challenger) => deleteAccount(challenger)],
  [
    'rejected',
    async (challenger) =>
      adminUser.post(`/api/admin/vehicles/${(await onlyVehicleOf(challenger)).id}/reject`, { reason: 'Not readable' }),
  ],
  [
    'removed by an admin',
    async (challenger) => adminUser.delete(`/api/admin/vehicles/${(await onlyVehicleOf(challenger)).id}`),
  ],
  [
    'overdue',
    async (_, plate) => {
      await expireDocumentsDueDate(
        app,
        (await openChallenges(app, plate)).map(({ id }) => id),
      )
      await settleOverdueDisputes(app.context)
    },
  ],
]

for (const [how, fail] of waysToFail) {
  test(`a plate that survived a challenge is not paused by the next one: ${how}`, async () => {
    const [owner, first] = await createTwoUsers(app)
    const plate = newPlate()
    await registerPlate(owner, plate)
    await registerPlate(first, plate)
    assert.deepEqual(await vehicleStates(owner), ['pending_verification, incumbent'])
    await fail(first, plate)
    assert.deepEqual(await vehicleStates(owner), ['active'])

    const second = await app.user()
    assert.equal((await registerPlate(second, plate)).body.status, 'dispute_started')
    assert.deepEqual(await vehicleStates(owner, second), ['active, incumbent', 'pending_verification, challenger'])
    assert.equal(await send(plate), 201)
    const mail = await waitForMail(app, owner, `Someone else says plate ${plate} is theirs`)
    assert.match(mail.text, /isn’t paused/)
    assert.match(mail.text, /5 business days/)

    // after ninety days it can be paused again
    await second.delete(`/api/vehicles/${(await onlyVehicleOf(second)).id}`)
    assert.deepEqual(await vehicleStates(owner), ['active'])
    await waitForMail(app, owner, `You keep plate ${plate}`)
    await passNinetyDays(plate)
    const third = await app.user()
    await registerPlate(third, plate)
    assert.deepEqual(await vehicleStates(owner), ['pending_verification, incumbent'])
  })
}

test('a chain of accounts of one person pauses a plate once', async () => {
  const owner = await app.user()
  const plate = newPlate()
  await registerPlate(owner, plate)
  const email = `chain-${randomUUID()}@example.com`
  const seen: (string | undefined)[] = []
  for (let i = 0; i < 5; i++) {
    const challenger = await app.user({ email: i % 2 ? email : email.replace('@', `+${i}@`) })
    const { body } = await registerPlate(challenger, plate)
    seen.push(body.status ?? body.code, ...(await vehicleStates(owner)))
    await deleteAccount(challenger)
  }
  assert.deepEqual(seen, [
    ...['dispute_started', 'pending_verification, incumbent'],
    ...['dispute_started', 'active, incumbent'],
    ...['dispute_started', 'active, incumbent'],
    // the limit of three in ninety days is the person's
    ...['too_many_challenges', 'active'],
    ...['too_many_challenges', 'active'],
  ])
})

test('a person has one open challenge, whichever of their accounts begins it', async () => {
  const owner = await app.user()
  const [one, other] = [newPlate(), newPlate()]
  for (const plate of [one, other]) await registerPlate(owner, plate)
  const email = `one-${randomUUID()}@example.com`
  const [first, second] = [await app.user({ email }), await app.user({ email: email.replace('@', '+b@') })]
  assert.equal((await registerPlate(first, one)).body.status, 'dispute_started')
  assert.equal((await registerPlate(second, other)).body.code, 'open_challenge')
  assert.equal((await registerPlate(second, newPlate())).body.status, 'registered')
})

test('the accounts of one person that challenge at the same moment begin one challenge', async () => {
  const owner = await app.user()
  const plates = Array.from({ length: 3 }, newPlate)
  for (const plate of plates) await registerPlate(owner, plate)
  const email = `many-${randomUUID()}@example.com`
  const accounts = await Promise.all(plates.map((_, i) => app.user({ email: email.replace('@', `+${i}@`) })))
  const responses = await Promise.all(accounts.map((account, i) => registerPlate(account, plates[i]!)))
  assert.deepEqual(
    responses.map(({ status }) => status).sort((a, b) => a - b),
    [200, 409, 409],
  )
})

test('deleting the account and signing up again gives no more registrations a day', async () => {
  const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
  try {
    const email = `again-${randomUUID()}@example.com`
    const first = await app.user({ email })
    for (let i = 0; i < 10; i++) {
      assert.equal((await registerPlate(limited.withToken(first.token) as Person, newPlate())).status, 200)
    }
    await deleteAccount(first)
    const second = await app.user({ email: email.replace('@', '+again@') })
    assert.equal((await registerPlate(limited.withToken(second.token) as Person, newPlate())).status, 429)
  } finally {
    await limited.close()
  }
})

test('a challenge that pauses nothing is joined by one that does once the protection is over', async () => {
  const owner = await app.user()
  const plate = newPlate()
  await registerSurvivor(owner, plate)
  const waiting = await app.user()
  await registerPlate(waiting, plate)
  assert.deepEqual(await vehicleStates(owner, waiting), ['active, incumbent', 'pending_verification, challenger'])
  assert.equal(await send(plate), 201)

  await passNinetyDays(plate)
  const later = await app.user()
  await registerPlate(later, plate)
  assert.deepEqual(await vehicleStates(owner), ['pending_verification, incumbent'])
  assert.equal(await send(plate), 'vehicle_not_active')
  assert.deepEqual((await queuedMailKinds(app, owner)).slice(-2), ['dispute_live_owner', 'dispute_incumbent'])

  // the only one who paused it leaves: the plate works while the other waits for an admin
  await later.delete(`/api/vehicles/${(await onlyVehicleOf(later)).id}`)
  assert.deepEqual(await vehicleStates(owner, waiting), ['active, incumbent', 'pending_verification, challenger'])
  assert.equal(await send(plate), 201)
  await eventually(async () =>
    (await app.mails(owner.email, 0)).some(({ text }) => /Someone else still claims the plate/.test(text))
      ? true
      : undefined,
  )
})

test('the owner of a plate that a later challenge pauses reads its date, and not one that is over', async () => {
  const owner = await app.user()
  const plate = newPlate()
  await registerSurvivor(owner, plate)
  await registerPlate(await app.user(), plate)
  const [waiting] = await openChallenges(app, plate)
  const mark = { documents_received: true }
  assert.equal((await adminUser.patch(`/api/admin/disputes/${waiting!.id}`, mark)).status, 200)
  await expireDocumentsDueDate(app, [waiting!.id])
  await passNinetyDays(plate)

  const { body } = await registerPlate(await app.user(), plate)
  const due: string = body.vehicle.dispute.documents_due_at
  assert.deepEqual((await onlyVehicleOf(owner)).dispute, { documents_due_at: due, role: 'incumbent' })
  const { disputed_vehicles } = (await owner.get('/api/dashboard')).body
  assert.equal(disputed_vehicles[0].dispute.documents_due_at, due)
  const day = formatShortMailDay(due, 'en')
  const mail = await waitForMail(app, owner, `Action needed by ${day}: someone else registered plate ${plate}`)
  assert.ok(mail.text.replaceAll(/\s+/g, ' ').includes(formatDueDate(due, 'en')), mail.text)
})

describe('a challenger who takes the side of an owner who left', () => {
  /** Lets the owner of a plate leave two challengers: the first one now has the other one against them. */
  const leaveTwo = async (locale: 'en' | 'fr-CA' = 'en') => {
    const [owner, successor, challenger] = [await app.user(), await app.user({ locale }), await app.user()]
    const plate = newPlate()
    for (const who of [owner, successor, challenger]) await registerPlate(who, plate)
    await owner.delete(`/api/vehicles/${(await onlyVehicleOf(owner)).id}`)
    assert.deepEqual(await vehicleStates(successor, challenger), [
      'pending_verification, incumbent',
      'pending_verification, challenger',
    ])
    return { plate, successor, challenger }
  }
  const passDueDates = async (plate: string) => {
    await expireDocumentsDueDate(
      app,
      (await openChallenges(app, plate)).map(({ id }) => id),
    )
    await settleOverdueDisputes(app.context)
  }

  test('reads that the registration is now active: the plate never received messages before', async () => {
    for (const [locale, subject, text] of [
      ['en', (plate: string) => `Your registration of plate ${plate} is now active`, 'can receive messages'],
      [
        'fr-CA',
        (plate: string) => `Votre enregistrement de la plaque ${plate} est actif`,
        'peut recevoir des messages',
      ],
    ] as const) {
      const { plate, successor, challenger } = await leaveTwo(locale)
      await passDueDates(plate)
      assert.deepEqual(await vehicleStates(successor, challenger), ['active', 'rejected'])
      const mail = await waitForMail(app, successor, subject(plate))
      assert.ok(mail.text.includes(text), mail.text)
      assert.doesNotMatch(mail.text, /paused|suspendue/)
      assert.deepEqual(await queuedMailKinds(app, successor), ['dispute_challenger', 'dispute_settled'])
    }
  })

  test('reads so too while another challenge, which pauses nothing, still waits', async () => {
    for (const [locale, subject, text] of [
      [
        'en',
        (plate: string) => `Your registration of plate ${plate} is now active`,
        /Someone else still claims the plate/,
      ],
      ['fr-CA', (plate: string) => `Votre enregistrement de la plaque ${plate} est actif`, /la revendique encore/],
    ] as const) {
      const { plate, successor, challenger } = await leaveTwo(locale)
      await app.db`update vehicles set challenge_survived_at = now() where plate = ${plate} and user_id = ${successor.id}`
      const waiting = await app.user()
      await registerPlate(waiting, plate)
      await challenger.delete(`/api/vehicles/${(await onlyVehicleOf(challenger)).id}`)
      assert.deepEqual(await vehicleStates(successor, waiting), [
        'active, incumbent',
        'pending_verification, challenger',
      ])
      const mail = await waitForMail(app, successor, subject(plate))
      assert.match(mail.text, text)
      assert.doesNotMatch(mail.text, /paused|suspendue|have to send any more|plus de documents/)

      // from then on they have the plate as anybody has one: it can be paused, and they keep it
      await passNinetyDays(plate)
      const older = await app.user()
      await registerPlate(older, plate)
      assert.deepEqual(await vehicleStates(successor), ['pending_verification, incumbent'])
      for (const who of [older, waiting]) await who.delete(`/api/vehicles/${(await onlyVehicleOf(who)).id}`)
      assert.deepEqual(await vehicleStates(successor), ['active'])
      const settlements = await app.db<{ settlement: string }[]>`
        select data->>'settlement' as settlement from outbox
        where recipient_id = ${successor.id} and kind = 'dispute_settled' order by id`
      assert.deepEqual(
        settlements.map(({ settlement }) => settlement),
        ['started', 'resumed', 'undisturbed'],
      )
    }
  })

  test('waits for whoever registers the plate meanwhile, and then has it too', async () => {
    const { plate, successor, challenger } = await leaveTwo()
    const later = await app.user()
    await registerPlate(later, plate)
    await challenger.delete(`/api/vehicles/${(await onlyVehicleOf(challenger)).id}`)
    assert.deepEqual(await vehicleStates(successor), ['pending_verification, incumbent'])
    await passDueDates(plate)
    assert.deepEqual(await vehicleStates(successor, later), ['active', 'rejected'])
    await waitForMail(app, successor, `Your registration of plate ${plate} is now active`)
  })
})

test('an admin decides a challenge that paused nothing, for either side', async () => {
  for (const winner of ['owner', 'challenger'] as const) {
    const [owner, challenger] = await createTwoUsers(app)
    const plate = newPlate()
    await registerSurvivor(owner, plate)
    await registerPlate(challenger, plate)
    const { id } = await onlyVehicleOf(winner === 'owner' ? owner : challenger)
    assert.equal((await adminUser.post(`/api/admin/vehicles/${id}/approve`)).body.deleted_peers, 1)
    assert.deepEqual(
      await vehicleStates(owner, challenger),
      winner === 'owner' ? ['verified', 'none'] : ['none', 'verified'],
    )
  }
})

test('the mail about a plate that is not paused comes in French to somebody who chose it', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  const plate = newPlate()
  await registerSurvivor(owner, plate)
  await registerPlate(await app.user(), plate)
  const mail = await waitForMail(app, owner, `Une autre personne affirme que la plaque ${plate} est la sienne`)
  assert.match(mail.text, /n’est pas suspendue/)
  assert.match(mail.text, /5 jours ouvrables/)
})

test('the mail to both sides of a dispute names five business days and the date', async () => {
  for (const [locale, period, endOfDay] of [
    ['en', 'within 5 business days', '23:59, Eastern time'],
    ['fr-CA', 'dans un délai de 5 jours ouvrables', '23 h 59, heure de l’Est'],
  ] as const) {
    const [owner, challenger] = [await app.user({ locale }), await app.user({ locale })]
    const plate = newPlate()
    await registerPlate(owner, plate)
    const { body } = await registerPlate(challenger, plate)
    const due = new Intl.DateTimeFormat(locale === 'en' ? 'en-CA' : 'fr-CA', {
      dateStyle: 'full',
      timeZone: 'America/Toronto',
    }).format(new Date(body.vehicle.dispute.documents_due_at))
    for (const who of [owner, challenger]) {
      const [mail] = await app.mails(who.email)
      const text = mail!.text.replaceAll(/\s+/g, ' ')
      assert.ok(text.includes(period), text)
      assert.ok(text.includes(`${due.replace(/ 1 /, ' 1er ')} (${endOfDay})`), text)
    }
  }
})
