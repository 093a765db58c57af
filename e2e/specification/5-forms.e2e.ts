import { PROVINCES } from '#contract/provinces.ts'
import { confirmationLink, newEmail, newPlate, PASSWORD } from '../support/people.ts'
import { button, expect, field, filled, heading, link, option, type Screen, walk } from './walk.ts'

// Requirements §5: what each form refuses, and what it says then. The forms of the contact page, of a reply, of the profile and of
// the admin area are filled in wrongly on their way through §2 and §4.

const PASSWORD_RULE = 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'

/** Expects a field to be refused with this text. */
async function isRefused(screen: Screen, name: string, text: string) {
  await expect(screen.find(field(name))).toHaveAttribute('aria-invalid', 'true')
  await screen.sees(text)
}

walk('§5 and §8 signing up, logging in and a new password', async ({ open, audit, person, product, allow }) => {
  allow(/^400 POST \/auth\/v1\/token/, /^422 (POST|PUT) \/auth\/v1\//, /^500 POST \/auth\/v1\/(token|signup)/)
  const taken = await person()
  const screen = await open()
  const { page, goto, sees, fill, tick, click, openLink, isAt, failWith, restore } = screen
  const main = screen.part(page.getByRole('main'))

  await goto('/login')
  await main.click('Log In')
  await sees('Please enter your email address.', 'Please enter a password.')
  await fill({ Email: taken.email, Password: 'Wrong-horse-7' })
  await main.click('Log In')
  await sees('Invalid login credentials') // §8: the error's message
  await audit(page, 'refused log-in')
  await failWith('**/auth/v1/token*')
  await main.click('Log In')
  await sees('Login failed.')
  await restore()

  const form = (email: string, password = PASSWORD, confirmation = password) =>
    fill({ 'Full Name': 'Robin Tester', Email: email, Password: password, 'Confirm Password': confirmation })
  await goto('/signup')
  await main.click('Sign Up')
  await isRefused(screen, 'Full Name', 'Please enter your full name.')
  await expect(screen.find(field('Full Name'))).toBeFocused()
  await isRefused(screen, 'Email', 'Please enter your email address.')
  await isRefused(screen, 'Password', 'Please enter a password.')
  await audit(page, 'empty sign-up')
  const email = newEmail()
  await form(email)
  await main.click('Sign Up')
  await sees('You must agree to the terms and conditions.')
  await tick()
  await form(email, PASSWORD, 'Wrong-horse-7')
  await main.click('Sign Up')
  await isRefused(screen, 'Confirm Password', 'Passwords do not match.')
  for (const weak of ['Short-1', 'nouppercase-1', 'NOLOWERCASE-1', 'No-digits-here', 'NoSymbol1']) {
    await form(email, weak)
    await main.click('Sign Up')
    await isRefused(screen, 'Password', PASSWORD_RULE)
  }
  await form(taken.email)
  await main.click('Sign Up')
  await isRefused(screen, 'Email', 'An account with that email already exists.') // §8
  await expect(screen.find(field('Email'))).toBeFocused()
  // any address that gets email
  await form('robin@exämple.com')
  await failWith('**/auth/v1/signup*')
  await main.click('Sign Up')
  await sees('Something went wrong.')
  await restore()
  await main.click('Sign Up')
  await isAt('/verify-email')

  await page.evaluate('localStorage.clear()')
  await goto('/verify-email')
  await click('Resend verification email')
  await sees('No email found to resend to.')

  await goto('/login')
  await screen.follow('Forgot your password?')
  await isAt('/forgot-password')
  await click('Send reset link')
  await isRefused(screen, 'Email', 'Please enter your email address.')
  await fill({ Email: taken.email })
  await click('Send reset link')
  await sees('Check your inbox for reset instructions', heading('Reset link sent successfully!'))
  await audit(page, 'link requested')
  await openLink('/reset-password#access_token=a.b.c')
  await sees('Missing reset tokens.')
  await openLink('/reset-password')
  await sees('Invalid or expired reset link.')
  await page.goto(await confirmationLink(product, taken.email, 2))
  await click('Reset password')
  await isRefused(screen, 'New Password', 'Please enter a password.')
  const both = (password: string, confirmation = password) =>
    fill({ 'New Password': password, 'Confirm Password': confirmation })
  await both('Short-1')
  await click('Reset password')
  await isRefused(screen, 'New Password', PASSWORD_RULE)
  await both('Quiet-harbour-52', PASSWORD)
  await click('Reset password')
  await isRefused(screen, 'Confirm Password', 'Passwords don’t match')
  await both('Quiet-harbour-52')
  await screen.hold('**/auth/v1/user')
  await click('Reset password')
  await sees(button('Resetting…'))
  screen.release()
  await sees(heading('Your password has been updated!'))
  await main.leads('Log In', '/login')
})

walk('§5 registering a vehicle', async ({ open, person, allow }) => {
  allow(/^(401|500) POST \/register-plate/, /^401 GET \/api\//)
  const owner = await person()
  const screen = await open(owner)
  const { page, goto, sees, fill, select, click, failWith, restore, find } = screen
  const form = ['License Plate', 'Make', 'Model', 'Year', 'Province']
  await goto('/dashboard/vehicle/new')
  await sees(...form.map((name) => field(name)))
  const submit = page.getByRole('main').getByRole('button', { name: 'Register vehicle' })
  await expect(submit).toBeDisabled()
  const plate = find(field('License Plate'))
  await plate.pressSequentially('ab 1 2')
  await expect(plate).toHaveValue('AB12')
  await expect(submit).toBeEnabled()
  await expect(find(field('Model'))).toBeDisabled()
  await click('Register vehicle')
  await sees('Please choose a make.', 'Please choose a year.', 'Please choose a province.')
  await select({ Make: 'Honda' })
  await expect(find(field('Model'))).toBeEnabled()
  await click('Register vehicle')
  await sees('Please choose a model.')
  await select({ Model: 'Civic' })
  await select({ Make: 'Toyota' })
  await expect(find(field('Model'))).toHaveValue('')
  await select({ Make: 'Honda' })
  await select({ Model: 'Civic' })
  const years = (await find(field('Year')).getByRole('option').allTextContents()).slice(1)
  const newest = new Date().getFullYear()
  expect(years).toEqual(Array.from({ length: newest - 1980 + 1 }, (_, i) => String(newest - i)))
  await sees(...PROVINCES.map((name) => option(name)))
  await expect(find(field('Province')).getByRole('option')).toHaveCount(1 + 10)
  await select({ Year: '1980', Province: 'Quebec' })
  for (const [typed, character] of [
    ['AB?C', '?'],
    ['ABCD12345', null],
  ] as const) {
    await plate.fill(typed)
    await click('Register vehicle')
    await isRefused(screen, 'License Plate', '1 to 8 characters, no spaces')
    if (character) await sees(filled('“{character}” cannot be on a plate.', { character }))
  }

  // what stands between the parts of a plate does not matter
  const typed = newPlate()
  await plate.fill(`${typed.slice(0, 3)}·${typed.slice(3)}`)
  await failWith('**/register-plate')
  await click('Register vehicle')
  await sees('Registration failed') // §8
  await restore()
  await click('Register vehicle')
  await sees('Plate registered successfully.')
  await sees('Honda Civic 1980')

  await goto('/dashboard/vehicle/new')
  await fill({ 'License Plate': newPlate() })
  await select({ Make: 'Honda' })
  await select({ Model: 'Civic', Year: '1980', Province: 'Quebec' })
  await page.context().clearCookies() // as when a browser clears its data: no page is notified
  await submit.press('Enter') // a hint may come at that moment, and would move the button away from a press
  await sees('You must be signed in.')
})

walk('§5 sending a message', async ({ open, audit, person, allow }) => {
  allow(/^(404|409) POST \/api\/messages$/)
  const [owner, sender] = [await person(), await person()]
  const live = await owner.registerVehicle()
  const own = await sender.registerVehicle()
  const screen = await open(sender)
  const { page, goto, sees, fill, click } = screen
  const to = async (plate: string) => {
    await fill({ 'License Plate': plate, Message: 'E2E: 42' })
    await click('Send Message')
  }
  await goto('/send')
  await click('Send Message')
  await isRefused(screen, 'License Plate', 'Please fill out both fields.')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(
    /Please fill out both fields\.$/,
  )
  await fill({ 'License Plate': live.plate, Message: ' \n ' })
  await click('Send Message')
  await isRefused(screen, 'Message', 'Please fill out both fields.')
  for (const [plate, text] of [
    ['AB?C', '1 to 8 characters, no spaces'],
    ['ABCD12345', '1 to 8 characters, no spaces'],
    ['NOBODY', 'That plate is not registered.'],
    [own.plate.toLowerCase(), 'You can’t send a message to your own vehicle.'],
  ] as const) {
    await to(plate)
    await isRefused(screen, 'License Plate', text)
  }
  await audit(page, 'refused send')
  await to(live.plate.toLowerCase())
  await sees(heading('Message sent'))
  await audit(page, 'message sent')
  await sees('E2E: 42', link('Messages'))
  expect((await owner.receivedMessages()).map(({ content }) => content)).toEqual(['E2E: 42'])
})
