import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { PRIVACY_TITLES, TERMS_TITLES, textsByKey } from '../../specification/text-patterns.ts'
import { test } from '../../support/fixtures.ts'
import { newEmail } from '../../support/people.ts'
import { button, data, field, heading, link, option, walkthrough } from './walkthrough.ts'

// requirements §2 (Public), §5 and §8: how each text is reached, and what must be readable then.

test.describe.configure({ mode: 'parallel' })

walkthrough('/', async ({ person, open }) => {
  const visitor = await open()
  const owner = await open(await person())
  return [
    [
      visitor.goto('/'),
      ...['About Us', 'How It Works', 'FAQs', 'Contact Us', 'Log In', 'Sign Up'].map((name) => link(name)),
      link('Register Your Vehicle'),
      link('Send a Message'),
      ...['Blocked In', 'Hazard Noticed', 'Minor Accident', 'No More Notes on Windshields'].map((name) =>
        heading(name),
      ),
      ...textsByKey(/^step_\d_title$/).map((name) => heading(name)),
      ...textsByKey(/^faq_\d+_q$/),
      ...['Platform', 'Company', 'Legal'].map((name) => heading(name)),
      data('support@platenote.ca'),
      data('© 2025'),
    ],
    [owner.goto('/'), ...['Dashboard', 'Go to Dashboard', 'Send a Message'].map((name) => link(name))],
  ]
})

walkthrough('/about-us, the legal pages and unknown addresses', async ({ person, open, allow }) => {
  allow(/^404 GET \/(fr\/)?no-such-page/, /^console: /, /^exception: /)
  const { goto } = await open()
  const owner = await open(await person())
  return [
    [
      goto('/about-us'),
      ...['Privacy first', 'Zero barriers', 'Security always', 'Community driven'].map((name) => heading(name)),
    ],
    [goto('/terms-and-conditions'), ...TERMS_TITLES.map((title) => heading(title)), 'Last updated June 22, 2025'],
    [goto('/privacy'), ...PRIVACY_TITLES.map((title) => heading(title)), 'Last updated June 22, 2025'],
    [goto('/no-such-page'), heading('Oops! Page not found'), link('Return to Home')],
    // a response this release does not know
    [
      [
        owner.perform(() =>
          owner.page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } })),
        ),
        owner.goto('/dashboard'),
      ],
      heading('Something went wrong'),
    ],
  ]
})

walkthrough('/contact-us', async ({ open }) => {
  const { goto, fill, select, click, hold, release } = await open()
  const message = { Name: 'Robin Tester', Email: newEmail(), Message: 'E2E: 42' }
  return [
    [
      goto('/contact-us'),
      heading('Get in Touch'),
      ...['Name', 'Email', 'Subject', 'Message'].map((name) => field(name)),
      ...CONTACT_SUBJECTS.map((subject) => option(contactSubjectName(subject, 'en'))),
      button('Send Message'),
    ],
    [
      [hold('**/send-email'), fill(message), select({ Subject: 'general-inquiry' }), click('Send Message')],
      button('Sending…'),
    ],
    [release, 'Message Sent!', "We'll get back to you within 24 hours."],
  ]
})
