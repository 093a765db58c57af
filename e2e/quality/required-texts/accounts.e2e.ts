import { test } from '../../support/fixtures.ts'
import { confirmationLink, newEmail, PASSWORD } from '../../support/people.ts'
import { button, field, heading, link, walkthrough } from './walkthrough.ts'

// requirements §2 (Public: accounts; Signed-in: profile), §5 and §8: how each text is reached, and what must be readable then.

test.describe.configure({ mode: 'parallel' })

const WRONG_PASSWORD = 'Wrong-horse-7'
const FORGED_TOKENS = '#access_token=a.b.c&refresh_token=d&token_type=bearer&expires_in=3600'
const signUpForm = (email: string, password = PASSWORD, confirmation = password) => ({
  'Full Name': 'Robin Tester',
  Email: email,
  Password: password,
  'Confirm Password': confirmation,
})

walkthrough('/login', async ({ person, open, allow }) => {
  allow(/^(400|500) POST \/auth\/v1\/token/)
  const { email } = await person()
  const { goto, fill, click, failWith } = await open()
  return [
    [
      goto('/login'),
      field('Email'),
      field('Password'),
      button('Log In'),
      link('Forgot your password?'),
      link('Sign Up'),
    ],
    [click('Log In'), 'Please enter your email address.', 'Please enter a password.'],
    [[fill({ Email: email, Password: WRONG_PASSWORD }), click('Log In')], 'Invalid login credentials'],
    [[failWith('**/auth/v1/token*'), click('Log In')], 'Login failed.'],
  ]
})

walkthrough('/signup and /verify-email', async ({ product, person, open, allow }) => {
  allow(/^500 POST \/auth\/v1\/signup/, /^400 POST \/auth\/v1\/token/)
  const [taken, email] = [(await person()).email, newEmail()]
  const { goto, fill, tickCheckbox, click, clickLink, failWith, restore, perform, page } = await open()
  const stranger = await open()
  return [
    [
      goto('/signup'),
      ...['Full Name', 'Email', 'Password', 'Confirm Password'].map((name) => field(name)),
      button('Sign Up'),
      link('Log In'),
    ],
    [click('Sign Up'), 'Please enter your full name.', 'Please enter your email address.'],
    [[fill(signUpForm(email)), click('Sign Up')], 'You must agree to the terms and conditions.'],
    [[tickCheckbox, fill(signUpForm(email, PASSWORD, WRONG_PASSWORD)), click('Sign Up')], 'Passwords do not match.'],
    [
      [fill(signUpForm(email, 'onlyletters')), click('Sign Up')],
      'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.',
    ],
    [[fill(signUpForm(taken)), click('Sign Up')], 'An account with that email already exists.'],
    [[fill(signUpForm(email)), failWith('**/auth/v1/signup*'), click('Sign Up')], 'Something went wrong.'],
    [
      [restore, click('Sign Up')],
      heading('Check your inbox'),
      button("I've verified my email"),
      button('Resend verification email'),
      link('Back to the homepage'),
    ],
    [click("I've verified my email"), 'Still not verified. Check your email link again.'],
    [click('Resend verification email'), 'Verification email sent!'],
    [[stranger.goto('/verify-email'), stranger.click('Resend verification email')], 'No email found to resend to.'],
    [
      perform(async () => page.goto(await confirmationLink(product, email, 2))),
      'Email verified!',
      link('View profile'),
    ],
    [[clickLink('View profile')], heading('Profile')],
  ]
})

walkthrough('/forgot-password and /reset-password', async ({ person, open, product }) => {
  const owner = await person()
  const { goto, fill, click, hold, release, perform, page } = await open()
  const both = (password: string, confirmation = password) =>
    fill({ 'New Password': password, 'Confirm Password': confirmation })
  return [
    [goto('/forgot-password'), field('Email'), button('Send reset link')],
    [
      [fill({ Email: owner.email }), click('Send reset link')],
      'Check your inbox for reset instructions',
      heading('Reset link sent successfully!'),
    ],
    [goto(`/reset-password${FORGED_TOKENS}`), 'Invalid or expired reset link.'],
    // an address that differs only in its fragment loads nothing
    [[goto('/'), goto('/reset-password#access_token=a.b.c')], 'Missing reset tokens.'],
    [[goto('/'), goto('/reset-password')], 'Invalid or expired reset link.'],
    [
      perform(async () => page.goto(await confirmationLink(product, owner.email, 2))),
      field('New Password'),
      field('Confirm Password'),
      button('Reset password'),
    ],
    [click('Reset password'), 'Please enter a password.'],
    [
      [both('Short-1', 'Short-1'), click('Reset password')],
      'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.',
    ],
    [[both('Other-horse-8', WRONG_PASSWORD), click('Reset password')], "Passwords don't match"],
    [[both('Other-horse-8'), hold('**/auth/v1/user'), click('Reset password')], button('Resetting…')],
    [release, 'Your password has been updated!', link('Log In')],
  ]
})

walkthrough('/dashboard/profile', async ({ person, open, allow }) => {
  allow(/^40[013] (GET|POST) \/(api|auth)\//)
  const { goto, fill, click, confirmInDialog } = await open(await person())
  return [
    [goto('/dashboard/profile'), field('Full Name'), field('Email'), heading('Delete account')],
    [[fill({ 'Full Name': ' ' }), click('Save')], 'Please enter your full name.'],
    [[fill({ 'Full Name': 'Alix Gagnon' }), click('Save')], 'Profile updated!'],
    [click('Send password reset email'), 'Password reset email sent!'],
    [click('Delete my account'), heading('Delete your account?')],
    [confirmInDialog('Delete my account'), 'Account deleted.', link('Log In'), link('Sign Up')],
  ]
})
