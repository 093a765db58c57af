import { expect, filled, walk } from './walk.ts'

// Requirements §9: how a date is written. Numbers of rows, entries, years and provinces are counted where §2, §4 and §5 pass them, and
// the second before the contact form's message leaves; sessions are renewed in e2e/auth/session-renewal.e2e.ts.

walk('§9 the format of a date', async ({ open, person, locale }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'E2E: 42')
  const screen = await open(owner, { timezoneId: 'America/Toronto' })
  await screen.goto('/dashboard/notifications')
  await screen.sees(filled('New message for {plate}', { plate }))
  const time = screen.page.getByRole('main').locator('time').first()
  const at = new Date((await time.getAttribute('datetime'))!)
  const part = (options: Intl.DateTimeFormatOptions, tag = 'en-US') =>
    new Intl.DateTimeFormat(tag, { timeZone: 'America/Toronto', ...options }).format(at)
  const day = part({ day: 'numeric' })
  const [hour, minute] = part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).split(':') as [string, string]
  await expect(time).toHaveText(
    locale === 'en'
      ? `${part({ month: 'short' })} ${day}, ${part({ year: 'numeric' })} ${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
      : `${day === '1' ? '1er' : day} ${part({ month: 'short' }, 'fr-CA')} ${part({ year: 'numeric' })}, ${Number(hour)}\u00a0h\u00a0${minute}`,
  )
})
