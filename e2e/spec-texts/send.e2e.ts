import { test } from '../fixtures.ts'
import { button, field, heading, scene, tab } from './scene.ts'

// requirements §2 (/send, /dashboard/messages), §4, §5 and §8: how it comes about, and what then stands there.

test.describe.configure({ mode: 'parallel' })

const MESSAGE = 'E2E: 42' // the same in both languages

scene('/send', async ({ person, open, allow, product }) => {
  allow(/^(404|409) POST \/api\/messages$/)
  const [owner, other, sender] = [await person(), await person(), await person()]
  const [live, own, disputed] = [await owner.registers(), await sender.registers(), await owner.registers()]
  await other.registers(disputed.plate)
  product.refuseMailTo(owner.email)
  const { at, type, press, waits, goesOn, until } = await open(sender)
  const to = (plate: string) => [type({ 'License Plate': plate, Message: MESSAGE }), press('Send Message')]
  return [
    [
      at('/send'),
      heading('Send a Secure Message'),
      'Reach the owner of any registered vehicle by its licence plate. You stay anonymous.',
      field('License Plate'),
      field('Message'),
      button('Send Message'),
      heading('How it works'),
      'Enter the licence plate of the vehicle.',
      'Type your message, and add a photo if it helps.',
      'The message is delivered to the owner, encrypted in transit and at rest.',
      'The owner’s personal information stays private, and so does yours.',
    ],
    [press('Send Message'), 'Please fill out both fields.'],
    [to('AB?C'), '1 to 8 characters, no spaces'],
    [to('NOBODY'), 'That plate is not registered.'],
    [to(own.plate), "You can't send a message to your own vehicle."],
    [to(disputed.plate), 'That vehicle is not active yet.'],
    [[waits('**/api/messages'), ...to(live.plate)], button('Sending…')],
    [goesOn, heading('Message sent')],
    [at('/dashboard/messages?view=sent'), tab('Received'), tab('Sent')],
    [until('Failed to send email'), 'Failed to send email'],
  ]
})
