import { accepted, type Caller, type Person, type TestResponse, testApp } from './app.ts'
import { startFakePushService } from './fake-push-service.ts'

export type Tag = { token: string; digits: string; url: string; created_at: string }
type Tagged = { owner: Person; vehicle: { id: string; plate: string }; tag: Tag; end: string }

/**
 * Starts what tests of windshield tags need: owners are created with raised limits (`app`), guests meet the real ones, on two processes
 * (`first`, `second`).
 */
export async function startTags() {
  const service = await startFakePushService()
  const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin } })
  const settings = { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin, ROLE: 'web' }
  const first = await testApp({ sibling: app, settings })
  const second = await testApp({ sibling: app, settings })
  const { db } = app

  async function close() {
    await second.close()
    await first.close()
    await app.close()
    await service.close()
  }

  /** Begins a calm day. */
  const calmDown = async () => {
    await db`delete from rate_counters where key = 'ceiling:guestFailures'`
  }

  /** Makes a tag for the vehicle of a new person. */
  async function tagged(plate?: string): Promise<Tagged> {
    const owner = await app.user()
    const vehicle = await app.vehicle(owner, plate === undefined ? {} : { plate })
    const body = await accepted(owner.post(`/api/vehicles/${vehicle.id}/tag`))
    return { owner, vehicle, tag: body, end: vehicle.plate.replaceAll('-', '').slice(-3) }
  }

  /** Lets time pass for what limits and sleep are made of: by way of another year, as no two rows may meet on the way. */
  async function advanceTime(span: string) {
    for (const move of [`-1000 days -${span}`, '1000 days'])
      await db`
        update rate_counters set window_start = case when window_start > 'epoch' then window_start + ${move}::interval
          else window_start end, expires_at = expires_at + ${move}::interval`
  }

  return { service, app, settings, first, second, db, close, calmDown, tagged, advanceTime }
}

let guests = 0
/** Returns the headers of somebody on a network of their own, with a device of their own. */
export function newGuest() {
  guests++
  return {
    'x-forwarded-for': `10.${guests >> 8}.${guests & 255}.1`,
    'guest-device': `device-${String(guests).padStart(20, '0')}`,
  }
}

type LeaveOptions = { guest?: Record<string, string>; chips?: string[]; reason?: string; language?: string }

/** Leaves a message at the vehicle of a tag, with the form of its digits or of its token. */
export const leave = (
  who: Caller,
  reference: string,
  plate_end: string,
  { guest = newGuest(), chips = [], ...more }: LeaveOptions = {},
): Promise<TestResponse> => {
  const isDigits = /^[\d ]+$/.test(reference)
  const form = new URLSearchParams({ plate_end, reason: 'lights_on', ...more, ...(isDigits && { digits: reference }) })
  for (const chip of chips) form.append('chips', chip)
  return who.post(isDigits ? '/t' : `/t/${encodeURIComponent(reference)}`, form, guest)
}

export const received = async (owner: Caller) => (await owner.get('/api/messages?view=received&limit=100')).body.items

/** Returns 200 or the code of each response to a form. */
export const codes = (responses: TestResponse[]) =>
  responses.map(({ status, body }) => (status === 200 ? 200 : body.REFUSED))

/** Returns everything of a response but what no two responses share, and what was typed, which a form gives back. */
export const visible = ({ status, headers, text }: Pick<TestResponse, 'status' | 'headers' | 'text'>) => {
  const shared = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  return JSON.stringify([status, shared, text.replace(/"(CODE|DIGITS|PLATE|PLATE_END|ACTION|REPLY)":"[^"]*",?/g, '')])
}
