import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { confirmationLink, newEmail, PASSWORD } from '../support/people.ts'
import { button, expect, field, heading, link, option, type Screen, walk } from './walk.ts'

// Requirements §1 and §2, Public: what the pages say about the product, the pages for everybody, and the way from the landing page to an account. Somebody opens the product for
// the first time.

/** Returns how many links in the main part of the page have this name. */
const linksOf = (screen: Screen, name: string) => screen.part(screen.page.getByRole('main')).find(link(name))

walk(
  '§1 and §2 the landing page, the pages it leads to, and the contact form',
  async ({ open, audit, allow, product }) => {
    allow(/^404 GET \/(fr\/)?no-such-page/)
    const visitor = await open()
    const { page, goto, sees, misses, leads, follow, fill, select, click, hold, release } = visitor
    await goto('/')
    const header = visitor.part(page.getByRole('banner'))
    await header.leads('About Us', '/about-us')
    await header.leads('How It Works', '/#how-it-works')
    await header.leads('FAQs', '/#faq')
    await header.leads('Contact Us', '/contact-us')
    await header.leads('Log In', '/login')
    await header.leads('Sign Up', '/signup')
    await header.misses(link('Dashboard'))

    // the hero and the closing call to action
    const main = visitor.part(page.getByRole('main'))
    for (const [name, path] of [
      ['Register Your Vehicle', '/signup'],
      ['Send a Message', '/login?next=%2Fsend'],
    ] as const) {
      await main.leads(name, path)
      await expect(main.all(link(name))).toHaveCount(2)
    }
    const footer = visitor.part(page.getByRole('contentinfo'))
    await footer.sees(...['Platform', 'Company', 'Legal'].map((name) => heading(name)), '© 2025')
    await footer.leads('Terms and Conditions', '/terms-and-conditions')
    await footer.leads('Privacy Policy', '/privacy')
    await expect(footer.find('support@platenote.ca')).toHaveAttribute('href', 'mailto:support@platenote.ca')
    await footer.sees(heading('Share PlateNote'))

    // what the legal pages say that the specification names; all their texts are compared in e2e/public/served-pages.e2e.ts
    for (const [path, ...texts] of [
      ['/terms-and-conditions', 'the laws of Ontario and the federal laws of Canada', 'at least 13'],
      ['/privacy', 'not meant for children under 13'],
    ] as const) {
      await goto(path)
      await sees('Last updated June 22, 2025', ...texts)
      const titles = page.getByRole('article').getByRole('heading', { level: 2 })
      await expect(titles).toHaveText(Array.from({ length: 10 }, (_, i) => new RegExp(`^${i + 1}\\. `)))
    }

    await goto('/no-such-page')
    await sees(heading('Oops! Page not found'))
    await follow('Return to Home')
    await visitor.isAt('/')
    await misses('Oops! Page not found')
    await leads('Contact Us', '/contact-us')

    const email = newEmail('visitor')
    await goto('/contact-us')
    await expect(page.locator('form[novalidate]')).toBeVisible()
    await sees(
      heading('Get in Touch'),
      ...['Name', 'Email', 'Subject', 'Message'].map((name) => field(name)),
      ...CONTACT_SUBJECTS.map((subject) => option(contactSubjectName(subject, 'en'))),
    )
    await expect(page.locator('select option:not([value=""])')).toHaveCount(8)
    // §5: all four are required
    await click('Send Message')
    await sees('Please enter your name.', 'Please choose a subject.', 'Please write a message.')
    await audit(page, 'refused contact form')
    await fill({ Name: 'Robin Tester', Email: email, Message: 'E2E: 42' })
    await select({ Subject: 'general-inquiry' })
    // §9: it leaves a second later
    await hold('**/contact-us')
    const pressedAt = Date.now()
    const leaves = page.waitForRequest('**/contact-us').then(() => Date.now())
    await click('Send Message')
    await sees(button('Sending…'))
    expect((await leaves) - pressedAt).toBeGreaterThanOrEqual(1_000)
    release()
    await sees('Message Sent!', 'We’ll get back to you within 24 hours.')
    await audit(page, 'contact form, sent')
    const find = () => product.inbox.received.find(({ parsed }) => parsed.replyTo?.[0]?.address === email)
    await expect.poll(find).toBeDefined()
    const mail = find()
    expect(mail?.parsed.text).toContain('E2E: 42')
    expect(mail?.parsed.subject).toContain(contactSubjectName('general-inquiry', 'en'))
  },
)

walk('§2 signing up, logging in and a new password', async ({ open, product, allow }) => {
  allow(/^400 POST \/auth\/v1\/token/, /^40[013] (GET|POST) \/(api|auth)\//)
  const visitor = await open()
  const { page, goto, sees, leads, click, fill, tick, isAt } = visitor
  const email = newEmail('first.last+plates')
  const newest = (least: number) => confirmationLink(product, email, least)

  await goto('/')
  await linksOf(visitor, 'Register Your Vehicle').click()
  await isAt('/signup')
  await sees(
    ...['Full Name', 'Email', 'Password', 'Confirm Password'].map((name) => field(name)),
    button('Sign Up'),
    link('Log In'),
  )
  await expect(page.getByRole('checkbox')).not.toBeChecked()
  await tick()
  await fill({ 'Full Name': 'Maya Owner', Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD })
  await click('Sign Up')
  await isAt('/verify-email')
  await sees(
    heading('Check your inbox'),
    button('I’ve verified my email'),
    button('Resend verification email'),
    link('Back to the homepage'),
  )
  await leads('Back to the homepage', '/')
  expect(await page.evaluate('localStorage.getItem("signupEmail")')).toBe(email) // §3
  await click('I’ve verified my email')
  await sees('Still not verified. Check your email link again.')
  // in the first minute
  await click('Resend verification email')
  await sees('Verification email sent!')
  await page.goto(await newest(2))
  await isAt('/dashboard')
  await sees('Email verified!', link('Dashboard'), 'Maya Owner')

  // §4: the header and the landing page follow the session
  await visitor.find(link('{product}, home page', { product: 'PlateNote' })).click()
  await isAt('/')
  const header = visitor.part(page.getByRole('banner'))
  await header.leads('Dashboard', '/dashboard')
  await header.misses(link('Log In'), link('Sign Up'))
  const main = visitor.part(page.getByRole('main'))
  await main.leads('Go to Dashboard', '/dashboard')
  await main.leads('Send a Message', '/send')
  await main.misses(link('Register Your Vehicle'))
  await main.follow('Go to Dashboard')
  await isAt('/dashboard')
  await goto('/login') // already signed in
  await isAt('/dashboard')
  await click('Sign out')
  await isAt('/')
  await header.sees(link('Log In'), link('Sign Up'))
  await header.misses(link('Dashboard'))

  // §6: choosing Send a Message leads a visitor to the log-in, which leads there
  await linksOf(visitor, 'Send a Message').click()
  await isAt('/login?next=%2Fsend')
  await sees('Log in to send your message', field('Email'), field('Password'))
  await leads('Sign Up', '/signup?next=%2Fsend')
  await fill({ Email: email, Password: PASSWORD })
  await main.click('Log In')
  await isAt('/send')
  await click('Sign out')
  await isAt('/')
})
