import { expect, test } from '../../support/fixtures.ts'
import { button, field, heading, tab, walkthrough } from './walkthrough.ts'

// requirements §2 (/send, /dashboard/messages), §4, §5 and §8: how each text is reached, and what must be readable then.

test.describe.configure({ mode: 'parallel' })

const MESSAGE = 'E2E: 42' // the same in both languages

walkthrough('/send', async ({ person, open, allow, product }) => {
  allow(/^(404|409) POST \/api\/messages$/)
  const [owner, other, sender] = [await person(), await person(), await person()]
  const [live, own, disputed] = [
    await owner.registerVehicle(),
    await sender.registerVehicle(),
    await owner.registerVehicle(),
  ]
  await other.registerVehicle(disputed.plate)
  product.rejectMailTo(owner.email)
  const { goto, fill, click, hold, release, reloadUntil } = await open(sender)
  const sent = goto('/dashboard/messages?view=sent')
  // a refused email is shown between 10 minutes and an hour later
  const passAnHour = {
    ...sent,
    run: () =>
      expect(async () => {
        const { count } = await product.db`
          update messages set email_failed_at = now() where plate = ${live.plate} and email_failed_at > now()`
        expect(count).toBe(1)
      }).toPass(),
  }
  const to = (plate: string) => [fill({ 'License Plate': plate, Message: MESSAGE }), click('Send Message')]
  return [
    [
      goto('/send'),
      heading('Send a Secure Message'),
      'Message the owner of any vehicle registered with PlateNote. All you need is the plate. You stay anonymous.',
      field('License Plate'),
      field('Message'),
      button('Send Message'),
      heading('How it works'),
      'Enter the vehicle’s licence plate.',
      'Type your message, and add a photo if it helps.',
      'The message is delivered to the owner, encrypted in transit and at rest.',
      'The owner’s personal information stays private, and so does yours.',
    ],
    [click('Send Message'), 'Please fill out both fields.'],
    [to('AB?C'), '1 to 8 characters, no spaces'],
    [to('NOBODY'), 'That plate is not registered.'],
    [to(own.plate), "You can't send a message to your own vehicle."],
    [to(disputed.plate), 'That vehicle is not active yet.'],
    [[hold('**/api/messages'), ...to(live.plate)], button('Sending…')],
    [release, heading('Message sent')],
    [sent, tab('Received'), tab('Sent')],
    [[passAnHour, reloadUntil('Failed to send email')], 'Failed to send email'],
  ]
})
