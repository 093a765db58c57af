import { expect, test } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'

const RECORD_VIBRATIONS = 'self.vibrations = []; navigator.vibrate = (ms) => vibrations.push(ms)'
const LOOK_AGAIN = `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`

/** Returns a time zone in which the day has just begun, and when that was. */
function beginningDay(): { timezoneId: string; midnight: Date } {
  const midnight = new Date()
  midnight.setUTCMinutes(0, 0, 0)
  const hour = midnight.getUTCHours()
  return { timezoneId: hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`, midnight }
}

test('from ‘Send Message’ to an answer given in French there is no tap, and one to the next message @phone', async ({
  person,
  product,
  visit,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const { timezoneId, midnight } = beginningDay()
  const page = await visit({ as: sender, options: { timezoneId } })
  await page.addInitScript(RECORD_VIBRATIONS)
  await page.goto(`/send?plate=${plate}`)
  const form = sendForm(page)
  await form.reason('I’m blocked in').click()
  await form.submit()
  await expect(form.sent).toBeFocused()
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  const status = card.getByRole('status')
  await expect(status).toContainText(/No reply by \d+:\d\d\s[AP]M\? Then you can ask once more here/)
  await expect(card).toContainText('We email you as well.')
  await audit(page, 'the wait for an answer')

  const [message] = await owner.receivedMessages()
  const owners = await visit({ as: owner, at: `/fr/dashboard/messages?view=received#${message!.id}` })
  const owned = owners.getByRole('article')
  await owned.getByRole('textbox').fill('La mienne est bleue.')
  await owned.getByRole('button', { name: 'Dans 5 min' }).click()
  await expect(owned.getByRole('textbox')).toHaveCount(0)
  await expect(owned).toContainText('Dans 5 min')
  await expect(owned).toBeFocused()
  await expect(status).toContainText(/The owner is coming: by \d+:\d\d\s[AP]M/) // by the live stream
  await expect(card).toContainText('La mienne est bleue.') // with what was being written
  await expect(card).toContainText(/Sent \d+:\d\d\s[AP]M · Replied \d+:\d\d\s[AP]M/)
  await expect(page).toHaveTitle(/^The owner is coming: by \d+:\d\d\s[AP]M$/)
  expect(await page.evaluate('vibrations')).toEqual([200])
  await expect(page).toHaveURL(new RegExp(`\\?view=sent#${message!.id}$`))

  // that time is over while nobody looks
  const whomToCall = card.getByText('Whom to call')
  await expect(whomToCall).toHaveCount(0)
  await product.db`update messages set inserted_at = ${midnight} - interval '1 minute',
                     replied_at = replied_at - interval '5 minutes' where id = ${message!.id}`
  await page.evaluate(LOOK_AGAIN)
  await expect(status).toContainText(/The owner was going to be there by \d+:\d\d\s[AP]M\./)
  await expect(card).toContainText(/Sent 11:\d\d\sPM · Replied \d+:\d\d\s[AP]M/) // yesterday, but just before midnight
  await expect(whomToCall).toBeVisible()
  await expect(card.getByRole('button', { name: 'Ask once more' })).toHaveCount(0)
  await audit(page, 'nobody has come')

  await card.getByRole('link', { name: 'Send another message' }).click()
  await form.fill(plate, 'You still are')
  await form.submit()
  await expect(form.sent).toBeVisible()
  await expect(status).toContainText('No reply yet')
  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline. What you see may be out of date.')).toBeVisible()
  const [next] = await owner.receivedMessages()
  await owner.replyTo(next!.id, '', 'coming')
  await page.context().setOffline(false)
  await expect(status).toContainText('The owner is coming now.')
  await page.reload()
  await expect(status).toContainText('The owner is coming now.')
  await page.goBack()
  await expect(page).toHaveURL(/\?view=sent#/)
  await expect(status).toContainText('The owner was going to be there')

  // on the dashboard of somebody who only sends: what waits, then the reply, also once it was read
  const readReply = page.getByRole('link', { name: 'Read the reply' })
  const third = await sender.sendMessage(plate, 'Still')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Your message is waiting for a reply' })).toBeVisible()
  await expect(readReply).toHaveCount(0)
  await owner.replyTo(third, '', 'in_5')
  await expect(page.getByRole('heading', { name: /^The owner is coming: by \d+:\d\d\s[AP]M$/ })).toBeVisible()
  await readReply.click()
  await expect(status).toContainText('The owner is coming: by')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Start with your plate' })).toBeVisible()
  await expect(readReply).toBeVisible()
})

test('when nobody answers, the sender asks once more, or leaves a note with one tap and comes back @phone', async ({
  person,
  product,
  visit,
  audit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'You are blocking me')
  await product.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${id}`
  const page = await visit({ as: sender, at: `/dashboard/messages?view=sent#${id}` })
  const card = page.getByRole('article')
  await card.getByText('Whom to call').click()
  await card.getByRole('combobox').selectOption('toronto')
  await expect(card.getByRole('link', { name: '416-808-2222' })).toBeVisible()
  await audit(page, 'no answer, and whom to call')
  await card.getByRole('button', { name: 'Ask once more' }).click()
  await expect(card).toContainText('You have asked once more.')
  await card.getByRole('button', { name: 'Leave a note' }).click()
  await expect(page.getByRole('heading', { name: 'Put this code under the wiper' })).toBeVisible()
  await page.goBack()
  await expect(card).toContainText('You have asked once more.')
  await page.goForward() // whoever signs in next finds no code there
  await expect(sendForm(page).plate).toBeVisible()

  // nobody can be asked once more about a note: it reached nobody yet
  const [note] = await product.db`
    update messages set inserted_at = inserted_at - interval '10 minutes' where is_note and sender_id = ${sender.id}
    returning id`
  await page.goto(`/dashboard/messages?view=sent#${note!.id}`)
  await expect(card.getByText('Whom to call')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Ask once more' })).toHaveCount(0)
})

test('what is typed in a second tab is kept when the first answers, and the second shows the answer', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^409 POST \/api\/messages\/.*\/reply$/, /net::ERR_/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  for (const isLive of [true, false]) {
    const id = await sender.sendMessage(plate, 'Your lights are on')
    const [first, second] = [await visit({ as: owner }), await visit({ as: owner })]
    if (!isLive) await second.route('**/api/live', (route) => route.abort())
    for (const page of [first, second]) await page.goto(`/dashboard/messages?view=received#${id}`)
    const card = second.getByRole('article')
    await card.getByRole('textbox').fill('I am in the shop, two minutes')
    await first.getByRole('article').getByRole('button', { name: 'I’m coming now' }).click()
    await expect(first.getByRole('article').getByRole('textbox')).toHaveCount(0)
    await expect(first.getByText('Not sent')).toHaveCount(0)
    if (!isLive) {
      await card.getByRole('button', { name: /Send reply/ }).click()
      await expect(second.getByText('You have already replied to this message.').first()).toBeVisible()
    }
    await expect(card).toContainText('I’m coming now')
    await expect(card.getByRole('textbox')).toHaveCount(0)
    await expect(card).toBeFocused()
    await expect(card).toContainText('Not sent: what you wrote')
    await expect(card).toContainText('I am in the shop, two minutes')
    await card.getByRole('button', { name: 'Discard' }).click()
    await expect(card).not.toContainText('two minutes')
  }
})
