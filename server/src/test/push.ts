import { after } from 'node:test'
import { accepted, type Caller, type Person, testApp } from './app.ts'
import { eventually } from './eventually.ts'
import { type FakeBrowser, startFakePushService } from './fake-push-service.ts'
import { sendMessage } from './messages.ts'

/** What a browser says of its subscription. */
export const toSubscription = ({ endpoint, keys }: FakeBrowser) => ({ endpoint, keys })

/** Starts a push service and the app that calls it, for the tests of a file. */
export async function startPushApp(settings: Record<string, string> = {}) {
  const service = await startFakePushService()
  const app = await testApp({ settings: { PUSH_HOSTS: service.origin, ...settings } })
  after(async () => {
    await app.close()
    await service.close()
  })

  /** Switches notifications on for the session of a caller, in a browser of its own unless one is given. */
  const switchOn = async (who: Caller, browser = service.browser()): Promise<FakeBrowser> => {
    await accepted(who.post('/api/push/subscriptions', toSubscription(browser)))
    return browser
  }
  return {
    service,
    app,
    switchOn,
    send: sendMessage,
    /** Creates an owner with a vehicle and a device with notifications, and a sender. */
    createPair: async (ownerData: { locale?: string } = {}) => {
      const [owner, sender] = await Promise.all([app.user(ownerData), app.user()])
      const { plate, id } = await app.vehicle(owner)
      return { owner, sender, plate, vehicleId: id, browser: await switchOn(owner) }
    },
    /** Waits until a push to a device of somebody has failed and waits for its next try. */
    untilPutOff: ({ id }: Person) =>
      eventually(async () => {
        const [row] = await app.db<{ wait: number }[]>`
          select extract(epoch from next_at - clock_timestamp())::float8 as wait from push_subscriptions
          where user_id = ${id} and tries > 0 and lease_token is null`
        return row
      }),
    /** Waits until everything so far has been pushed to the devices of somebody, or never will be. */
    untilSettled: ({ id }: Person) =>
      eventually(async () => {
        const [row] = await app.db`
          select from push_subscriptions s join notification_counters c using (user_id)
          where s.user_id = ${id} and (s.pushed_number < c.last_number or s.lease_token is not null)`
        return row ? undefined : true
      }),
    retryNow: ({ id }: Person) => app.db`update push_subscriptions set next_at = now() where user_id = ${id}`,
    countDevices: async ({ id }: Person) => (await app.db`select from push_subscriptions where user_id = ${id}`).length,
  }
}
