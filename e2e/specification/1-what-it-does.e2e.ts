import { data, walk } from './walk.ts'

// Requirements §1: what the pages say about the product, for whom it is, and what the legal texts say.

/** The marketing copy, where a visitor finds it: a question, and what its answer has to say. */
const ANSWERS = [
  ['Is it free?', 'Yes. Registering vehicles, sending messages and replying are all free.'],
  [
    'Do I need documents to register my plate?',
    'No. You enter the plate, the province, and the make, model and year. We don’t store registration documents; we only ask for them if two people claim the same plate, and delete them once that’s settled. Plates from the ten provinces work; those from the territories and the United States don’t yet, nor do dealer and diplomatic plates.',
  ],
  [
    'Do people see who I am?',
    'No. The owner never sees a sender’s name or address, and a sender never sees the owner’s. If you’d like to be reached another way, you can include your contact details in the message.',
  ],
  ['Are messages encrypted?', 'Messages are encrypted in transit and at rest; PlateNote holds the keys.'],
  [
    'What happens when I sell my vehicle?',
    'Remove it from your account in one step; the messages it received are deleted too. If it’s still in your account when the new owner registers the plate, a new verification starts.',
  ],
  [
    'Is there a mobile app?',
    'A mobile app is coming soon. Until then PlateNote works in the browser of any phone, and you can add it to your home screen.',
  ],
] as const

walk('§1 what the pages say about the product', async ({ open }) => {
  const visitor = await open()
  const { goto, sees } = visitor
  await goto('/')
  await sees(
    'Someone is parked across your driveway or behind your car. Ask them to move before you call a tow truck.',
    'Lights on, a trunk or door left open, a flat tire. Tell the owner before it ruins their day.',
    'Someone hit a parked car and you saw it, or it was you. Tell the owner right away and add a photo.',
    'Paper blows away, gets wet, and anyone walking by can read it. A message goes straight to the owner.',
    'Someone in danger? Call 911 first.',
    data('© 2025'),
  )
  for (const [question, answer] of ANSWERS) {
    await visitor.find(question).click()
    await sees(answer)
  }

  await goto('/terms-and-conditions')
  await sees(
    'Last updated June 22, 2025',
    'Registering vehicles, sending messages and replying are free. Registering a plate takes no documents.',
    'PlateNote stores no registration documents. We ask for documents by email only, and only in a dispute over a plate; those you send then are deleted once it is decided.',
    'These terms are governed by the laws of Ontario and the federal laws of Canada that apply there. Legal proceedings are heard by the courts of Ontario.',
    'PlateNote is free. You need an account, and you must be at least 13.',
  )
  await goto('/privacy')
  await sees(
    'Last updated June 22, 2025',
    'PlateNote is not meant for children under 13, and we do not knowingly collect information about them. In Quebec, consent for a person under 14 is given by the person having parental authority, or by the tutor: a 13-year-old may use PlateNote there only with that consent.',
  )
})
