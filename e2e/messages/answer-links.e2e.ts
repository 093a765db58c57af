import type { Page } from '@playwright/test'
import { expect, type TestFixtures, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'

const LINK = /https?:\/\/\S+\/answer#\S*token=[\w-]{43}/g

/** Returns the email about a person's first message, once it is there. */
async function messageMail({ product }: Pick<TestFixtures, 'product'>, { email }: Person) {
  const mails = await product.inbox.to(email, 2) // the first confirmed the address
  const { text = '', html } = mails.at(-1)!.parsed
  return { links: text.match(LINK) ?? [], html: String(html) }
}

/** Opens an email as a mail program does, in a browser that nobody is signed in to. */
async function openMail(page: Page, html: string) {
  await page.goto('about:blank')
  await page.setContent(html)
}

test('the email leads to the answer with two taps, where nobody is signed in @phone', async ({
  audit,
  person,
  product,
  visit,
}) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'You’re behind me')
  const senders = await visit({ as: sender, at: `/dashboard/messages?view=sent#${id}` })
  const { html, links } = await messageMail({ product }, owner)

  // a program that opens every link, with scripts, changes nothing
  const opener = await visit()
  for (const link of links) {
    await opener.goto('about:blank')
    await opener.goto(link)
    await expect(opener.getByRole('button', { name: 'Envoyer' })).toBeVisible()
  }
  expect((await owner.receivedMessages())[0]).toMatchObject({ is_read: false, reply: null })
  await expect(senders.getByRole('article')).toContainText('No reply yet')

  const page = await visit()
  const told: string[] = []
  page.on('request', (request) => told.push(`${request.url().split('#')[0]} ${request.headers()['referer'] ?? ''}`))
  await openMail(page, html)
  await page.getByRole('link', { name: 'Dans 5 min' }).click()
  await expect(page.getByText('You’re behind me')).toBeVisible()
  await expect(page.getByText(plate, { exact: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Dans 5 min' })).toBeChecked()
  await audit(page, 'a message that an email answers')
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Réponse envoyée')
  await expect(senders.getByRole('article')).toContainText('The owner is coming: by ') // by the live stream
  await audit(page, 'an answer that was sent from an email')
  expect(told.filter((one) => one.includes('token='))).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})

test('a link that was used says so, one without scripts leads to the app, and so does one in the app of its person', async ({
  audit,
  pageGuard,
  person,
  product,
  visit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your alarm is going off')
  const { links } = await messageMail({ product }, owner)
  const coming = links[0]!

  const owners = await visit({ as: owner, at: coming })
  await expect(owners).toHaveURL(`/dashboard/messages?view=received&answer=coming#${id}`)
  await expect(owners.getByText('Tell the sender that you are coming now?')).toBeVisible()

  const plain = await visit({ options: { javaScriptEnabled: false } })
  await plain.goto(coming)
  await expect(plain.getByText('only works in a browser that runs scripts')).toBeVisible()
  await expect(plain.getByRole('link', { name: 'Open PlateNote' })).toHaveAttribute('href', /\/dashboard\/messages/)

  // somebody else’s session is none
  pageGuard.allow(/^40[04] POST \S*\/answer$/)
  const page = await visit({ as: sender, at: links.at(-1)! })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Please write a reply.')).toBeVisible()
  await page.getByLabel('In your own words').fill('Two minutes')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reply sent')
  expect((await owner.receivedMessages())[0]).toMatchObject({ reply: 'Two minutes', answer: null })

  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There’s nothing to reply to here any more')
  await audit(page, 'a link of an email that is over')
  // another one in the same tab
  const other = await sender.sendMessage(plate, 'Still going off')
  await product.db`update digests set next_at = now()`
  await product.db`update outbox set run_at = now() where ref_id = ${other}`
  const next = (await product.inbox.to(owner.email, 3)).at(-1)!.parsed.text!.match(LINK)![0]
  await page.evaluate(`location.hash = '${new URL(next).hash}'`)
  await expect(page.getByText('Still going off')).toBeVisible()
})
