import { test } from '../fixtures.ts'
import { confirmationLink, newEmail, PASSWORD } from '../people.ts'
import { button, field, heading, link, scene } from './scene.ts'

// requirements §2 (Public: accounts; Signed-in: profile), §5 and §8: how it comes about, and what then stands there.

test.describe.configure({ mode: 'parallel' })

const WRONG = 'Wrong-horse-7'
const FORGED = '#access_token=a.b.c&refresh_token=d&token_type=bearer&expires_in=3600'
const newcomer = (email: string, password = PASSWORD, confirmation = password) => ({
  'Full Name': 'Robin Tester',
  Email: email,
  Password: password,
  'Confirm Password': confirmation,
})

scene('/login', async ({ person, open, allow }) => {
  allow(/^(400|500) POST \/auth\/v1\/token/)
  const { email } = await person()
  const { at, type, press, fails } = await open()
  return [
    [at('/login'), field('Email'), field('Password'), button('Log In'), link('Forgot your password?'), link('Sign Up')],
    [press('Log In'), 'Please enter your email address.', 'Please enter a password.'],
    [[type({ Email: email, Password: WRONG }), press('Log In')], 'Invalid login credentials'],
    [[fails('**/auth/v1/token*'), press('Log In')], 'Login failed.'],
  ]
})

scene('/signup and /verify-email', async ({ product, person, open, allow }) => {
  allow(/^500 POST \/auth\/v1\/signup/, /^400 POST \/auth\/v1\/token/)
  const [taken, email] = [(await person()).email, newEmail()]
  const { at, type, tick, press, follow, fails, mended, does, page } = await open()
  const stranger = await open()
  return [
    [
      at('/signup'),
      ...['Full Name', 'Email', 'Password', 'Confirm Password'].map((name) => field(name)),
      button('Sign Up'),
      link('Log In'),
    ],
    [press('Sign Up'), 'Please enter your full name.', 'Please enter your email address.'],
    [[type(newcomer(email)), press('Sign Up')], 'You must agree to the terms and conditions.'],
    [[tick, type(newcomer(email, PASSWORD, WRONG)), press('Sign Up')], 'Passwords do not match.'],
    [
      [type(newcomer(email, 'onlyletters')), press('Sign Up')],
      'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.',
    ],
    [[type(newcomer(taken)), press('Sign Up')], 'An account with that email already exists.'],
    [[type(newcomer(email)), fails('**/auth/v1/signup*'), press('Sign Up')], 'Something went wrong.'],
    [
      [mended, press('Sign Up')],
      heading('Check your inbox'),
      button("I've verified my email"),
      button('Resend verification email'),
      link('Back to the homepage'),
    ],
    [press("I've verified my email"), 'Still not verified. Check your email link again.'],
    [press('Resend verification email'), 'Verification email sent!'],
    [[stranger.at('/verify-email'), stranger.press('Resend verification email')], 'No email found to resend to.'],
    [does(async () => page.goto(await confirmationLink(product, email, 2))), 'Email verified!', link('View profile')],
    [[follow('View profile')], heading('Profile')],
  ]
})

scene('/forgot-password and /reset-password', async ({ person, open, product }) => {
  const owner = await person()
  const { at, type, press, waits, goesOn, does, page } = await open()
  const both = (password: string, confirmation = password) =>
    type({ 'New Password': password, 'Confirm Password': confirmation })
  return [
    [at('/forgot-password'), field('Email'), button('Send reset link')],
    [
      [type({ Email: owner.email }), press('Send reset link')],
      'Check your inbox for reset instructions',
      heading('Reset link sent successfully!'),
    ],
    [at(`/reset-password${FORGED}`), 'Invalid or expired reset link.'],
    // an address that differs in its fragment alone is no load
    [[at('/'), at('/reset-password#access_token=a.b.c')], 'Missing reset tokens.'],
    [[at('/'), at('/reset-password')], 'Invalid or expired reset link.'],
    [
      does(async () => page.goto(await confirmationLink(product, owner.email, 2))),
      field('New Password'),
      field('Confirm Password'),
      button('Reset password'),
    ],
    [press('Reset password'), 'Please enter a password.'],
    [
      [both('Short-1', 'Short-1'), press('Reset password')],
      'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.',
    ],
    [[both('Other-horse-8', WRONG), press('Reset password')], "Passwords don't match"],
    [[both('Other-horse-8'), waits('**/auth/v1/user'), press('Reset password')], button('Resetting…')],
    [goesOn, 'Your password has been updated!', link('Log In')],
  ]
})

scene('/dashboard/profile', async ({ person, open, allow }) => {
  allow(/^40[013] (GET|POST) \/(api|auth)\//)
  const { at, type, press, confirm } = await open(await person())
  return [
    [at('/dashboard/profile'), field('Full Name'), field('Email'), heading('Delete account')],
    [[type({ 'Full Name': ' ' }), press('Save')], 'Please enter your full name.'],
    [[type({ 'Full Name': 'Alix Gagnon' }), press('Save')], 'Profile updated!'],
    [press('Send password reset email'), 'Password reset email sent!'],
    [press('Delete my account'), heading('Delete your account?')],
    [confirm('Delete my account'), 'Account deleted.', link('Log In'), link('Sign Up')],
  ]
})
