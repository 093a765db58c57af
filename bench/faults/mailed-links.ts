import PostalMime from 'postal-mime'
import { postJson, signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, type Figure } from '../figures.ts'
import type { TakenMail } from './mail-sink.ts'
import { type Acknowledged, sendUntilAcknowledged } from './senders.ts'

/** How many people request each kind of link. */
const PEOPLE = 5

/** Two web processes: `strict` requires the address of a sign-up to be confirmed. */
type Urls = { web: string; strict: string }
type Person = { email: string; token: string; plate: string }

/** A kind of link: what requests the mail, to which address it goes, and whether following the link has its effect. */
type Kind = {
  name: string
  /** Left out for a further link of the request that the previous kind made. */
  ask?: (urls: Urls, person: Person, i: number, acknowledged: Acknowledged) => Promise<unknown>
  address?: (i: number) => string
  /** Matches the link in the text of the mail; the group is its token. */
  link: RegExp
  works: (urls: Urls, found: string, person: Person) => Promise<boolean>
}

const newcomer = (i: number) => `newcomer${i}@example.com`
const nextAddress = (i: number) => `next${i}@example.com`

async function post(url: string, body: object, token = ''): Promise<void> {
  const { status } = await postJson(url, body, { token })
  if (status >= 300) throw new Error(`${new URL(url).pathname} responded with ${status}`)
}

const AUTH_LINK = /\/auth\/v1\/verify\?token=([\w-]+)/
const verify =
  (type: string): Kind['works'] =>
  async ({ web }, found) =>
    (await postJson(`${web}/auth/v1/verify`, { type, token_hash: found })).status === 200

const CONFIRM_LINK = /\/account-link#do=confirm&token=([\w-]+)/
const confirmAddress =
  (state: string): Kind['works'] =>
  async ({ web }, found) => {
    const { status, body } = await postJson(`${web}/api/account-links`, { action: 'confirm', token: found })
    return status === 200 && body['state'] === state
  }

const KINDS: Kind[] = [
  {
    name: 'a new password',
    ask: ({ web }, { email }) => post(`${web}/auth/v1/recover`, { email }),
    link: AUTH_LINK,
    works: verify('recovery'),
  },
  {
    name: 'signing in without a password',
    ask: ({ web }, { email }) => post(`${web}/auth/v1/otp`, { email, create_user: false }),
    link: AUTH_LINK,
    works: verify('magiclink'),
  },
  {
    name: 'confirming a sign-up',
    ask: ({ strict }, _, i) => {
      const account = { email: newcomer(i), password: 'Correct-horse-7', data: { full_name: 'Sam Roy' } }
      return post(`${strict}/auth/v1/signup`, account)
    },
    address: newcomer,
    link: AUTH_LINK,
    works: verify('signup'),
  },
  {
    name: 'a change of address, at the present one',
    ask: ({ web }, { token }, i) => post(`${web}/api/email-change`, { email: nextAddress(i) }, token),
    link: CONFIRM_LINK,
    works: confirmAddress('waiting'),
  },
  {
    name: 'a change of address, at the next one',
    address: nextAddress,
    link: CONFIRM_LINK,
    works: confirmAddress('changed'),
  },
  {
    name: 'a message',
    ask: async ({ web }, { plate }, i, acknowledged) => {
      const writer = await signUpOverHttp(web, `writer${i}@example.com`)
      await sendUntilAcknowledged([web], writer, plate, acknowledged, { tries: 0 })
    },
    link: /\/dashboard\/messages\?view=received\S*#([\w-]{36})/,
    works: async ({ web }, found, { token }) =>
      (await fetch(`${web}/api/messages/${found}`, { headers: { authorization: `Bearer ${token}` } })).ok,
  },
  {
    name: 'no more mails about messages',
    link: /\/unsubscribe\/([\w-]+)/,
    works: async ({ web }, found) => (await fetch(`${web}/unsubscribe/${found}`, { method: 'POST' })).ok,
  },
]

async function signUpPeople({ web }: Urls, kind: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < PEOPLE; i++) {
    const email = `person${kind}-${i}@example.com`
    const token = await signUpOverHttp(web, email)
    const plate = `L${kind}${String(i).padStart(4, '0')}`
    const car = { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
    await post(`${web}/register-plate`, car, token)
    people.push({ email, token, plate })
  }
  return people
}

/** Signs up separate people for each kind of link, since one link ends another of the same account. */
export async function createLinkPeople(urls: Urls) {
  const people: { kind: Kind; of: Person[] }[] = []
  for (const [i, kind] of KINDS.entries())
    people.push({ kind, of: kind.ask ? await signUpPeople(urls, i) : people[i - 1]!.of })

  return {
    /** Requests their links; messages among them are added to those acknowledged. */
    async ask(acknowledged: Acknowledged) {
      for (const { kind, of } of people)
        for (const [i, person] of of.entries()) await kind.ask?.(urls, person, i, acknowledged)
    },
    /** Follows the newest link of each of them, and returns how many of each kind work. */
    async follow(taken: TakenMail[]): Promise<Figure[]> {
      const figures: Figure[] = []
      for (const { kind, of } of people) {
        let count = 0
        for (const [i, person] of of.entries()) {
          const address = kind.address?.(i) ?? person.email
          const mails = await Promise.all(
            taken.filter(({ to }) => to === address).map(({ text }) => PostalMime.parse(text)),
          )
          const found = mails.flatMap(({ text = '' }) => kind.link.exec(text)?.[1] ?? []).at(-1)
          if (found !== undefined && (await kind.works(urls, found, person))) count++
        }
        figures.push(aim(`links that still work: ${kind.name}`, `${count} of ${of.length}`, 'all', count === of.length))
      }
      return figures
    },
  }
}
