import assert from 'node:assert/strict'
import { accepted, type Person, type TestApp } from './app.ts'

// The calls about the people of a vehicle (decision vehicle-people).

/** Invites a driver over HTTP. */
export const invite = async (owner: Person, vehicleId: string, input: object = {}) => {
  const body = await accepted(owner.post(`/api/vehicles/${vehicleId}/invitations`, input))
  return body as { id: string; code: string; url: string; expires_at: string }
}

/** Accepts an invitation over HTTP. Returns the response. */
export const accept = (who: Person, code: string) => who.post('/api/invitations/accept', { code })

export const join = async (owner: Person, vehicleId: string, driver: Person) => {
  const { code } = await invite(owner, vehicleId)
  await accepted(accept(driver, code))
}

/** Lists the people of a vehicle as one of them sees it. */
export const peopleOf = async (who: Person, vehicleId: string) => accepted(who.get(`/api/vehicles/${vehicleId}/people`))

export const myId = async (who: Person, vehicleId: string): Promise<string> =>
  (await peopleOf(who, vehicleId)).items.find(({ is_me }: { is_me: boolean }) => is_me).id

/** Creates a vehicle with an owner and a driver. */
export async function shared(app: TestApp) {
  const [owner, driver] = [await app.user({ full_name: 'Olga Roy' }), await app.user({ full_name: 'Dan Roy' })]
  const vehicle = await app.vehicle(owner)
  await join(owner, vehicle.id, driver)
  return { owner, driver, vehicle, plate: vehicle.plate }
}

export const assertInvalid = ({ status, body }: Awaited<ReturnType<typeof accept>>) =>
  assert.deepEqual([status, body.code], [404, 'invitation_invalid'])
