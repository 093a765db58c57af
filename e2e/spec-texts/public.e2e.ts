import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact.ts'
import { test } from '../fixtures.ts'
import { newEmail } from '../people.ts'
import { button, data, field, heading, link, option, scene } from './scene.ts'
import { ours, PRIVACY_TITLES, TERMS_TITLES } from './words.ts'

// requirements §2 (Public), §5 and §8: how it comes about, and what then stands there.

test.describe.configure({ mode: 'parallel' })

scene('/', async ({ person, open }) => {
  const visitor = await open()
  const owner = await open(await person())
  return [
    [
      visitor.at('/'),
      ...['About Us', 'How It Works', 'FAQs', 'Contact Us', 'Log In', 'Sign Up'].map((name) => link(name)),
      link('Register Your Vehicle'),
      link('Send a Message'),
      ...['Blocked In', 'Hazard Noticed', 'Minor Accident', 'No More Notes on Windshields'].map((name) =>
        heading(name),
      ),
      ...ours(/^step_\d_title$/).map((name) => heading(name)),
      ...ours(/^faq_\d+_q$/),
      ...['Platform', 'Company', 'Legal'].map((name) => heading(name)),
      data('support@platenote.ca'),
      data('© 2025'),
    ],
    [owner.at('/'), ...['Dashboard', 'Go to Dashboard', 'Send a Message'].map((name) => link(name))],
  ]
})

scene('/about-us, the legal pages and what is not there', async ({ person, open, allow }) => {
  allow(/^404 GET \/(fr\/)?no-such-page/, /^console: /, /^exception: /)
  const { at } = await open()
  const owner = await open(await person())
  return [
    [
      at('/about-us'),
      ...['Privacy first', 'Zero barriers', 'Security always', 'Community driven'].map((name) => heading(name)),
    ],
    [at('/terms-and-conditions'), ...TERMS_TITLES.map((title) => heading(title)), 'Last updated June 22, 2025'],
    [at('/privacy'), ...PRIVACY_TITLES.map((title) => heading(title)), 'Last updated June 22, 2025'],
    [at('/no-such-page'), heading('Oops! Page not found'), link('Return to Home')],
    // an answer this release does not know
    [
      [
        owner.does(() => owner.page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))),
        owner.at('/dashboard'),
      ],
      heading('Something went wrong'),
    ],
  ]
})

scene('/contact-us', async ({ open }) => {
  const { at, type, choose, press, waits, goesOn } = await open()
  const message = { Name: 'Robin Tester', Email: newEmail(), Message: 'E2E: 42' }
  return [
    [
      at('/contact-us'),
      heading('Get in Touch'),
      ...['Name', 'Email', 'Subject', 'Message'].map((name) => field(name)),
      ...CONTACT_SUBJECTS.map((subject) => option(contactSubjectName(subject, 'en'))),
      button('Send Message'),
    ],
    [
      [waits('**/send-email'), type(message), choose({ Subject: 'general-inquiry' }), press('Send Message')],
      button('Sending…'),
    ],
    [goesOn, 'Message Sent!', "We'll get back to you within 24 hours."],
  ]
})
